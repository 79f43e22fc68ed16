// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/evidence/calibration.hpp"
#include "core/hardware/catalogue.hpp"
#include "core/measure/operators/correction.hpp"
#include "core/measure/operators/tables.hpp"

namespace scalescope::calibration {

/// How far the models are off one device's operators of one kind.
struct OperatorErrors {
    std::string kind, pass, precision, device;
    operators::Errors roofline, tiles;                   ///< over all points, without any measurement
    std::optional<operators::Errors> shapes_never_seen;  ///< corrected; over every fifth shape, which the fit never saw
    std::optional<operators::Errors> device_never_seen;  ///< corrected by the other devices; over all its points
};

struct OperatorFit {
    std::vector<OperatorCorrection> corrections;  ///< by all points
    std::vector<OperatorErrors> errors;
    Problems warnings;
};

/// Corrections of a table's operators, one for each kind, pass and precision, and what they are worth. Devices are
/// looked up in the catalogue; those it does not know, or has no peak of, are left out with a warning.
Result<OperatorFit> calibrate_operators(const operators::MeasuredOperators& measured, const Catalogue& catalogue,
                                        const Watch& watch = {});

/// What a file keeps of a fit, beside what runs gave (`calibration` may be empty). Name and hash are the caller's.
void add_operators(Calibration& calibration, const OperatorFit& fit, const operators::MeasuredOperators& measured);

/// As the arithmetic of operators takes it. A problem if it was kept by a version that looked at other features.
Result<operators::Correction> to_correction(const OperatorCorrection& kept);

}  // namespace scalescope::calibration
