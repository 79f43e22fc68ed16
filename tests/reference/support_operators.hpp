// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/measure/operators/correction.hpp"
#include "core/measure/operators/tables.hpp"

/// Measured operators of tests/data/measured, and how far models are off them.
namespace support {

struct MeasuredDevice {
    std::string id;
    std::vector<scalescope::operators::Sample> fitted, held_out;  ///< every fifth shape is held out, on all devices
    std::vector<scalescope::operators::MeasuredOperator> rows;
    scalescope::operators::Chip chip;  ///< as the catalogue has it
};

/// Samples see a chip that reaches 85 %, as one does of which nothing is known.
std::vector<MeasuredDevice> measured_devices(const std::string& file);

struct ErrorRow {
    std::string file, device, model;
    scalescope::operators::Errors errors;
};
/// Every model of a file: roofline, tiles, with what the device reaches, one factor from 20 points, corrections by 30,
/// 100, 300 and all points, by the other devices only, and by them with one factor from 20 points. The first three over
/// all points, the others over shapes held out.
std::vector<ErrorRow> errors_of_models(const std::string& file);

}  // namespace support
