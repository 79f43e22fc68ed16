// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/evidence/calibration.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/json_writer.hpp"

/// Calibrations as files (presets/schema/calibration.schema.json).
namespace scalescope::formats {

bool is_calibration(std::string_view text);
/// Every problem of the file, with line and column. Fields are those of a scenario; values are within their bounds.
Result<Calibration> read_calibration(std::string_view text, const std::string& file);
std::string write_calibration(const Calibration& calibration);

/// The same inside a scenario, without format and version.
Calibration decode_calibration(JsonValue value, const std::string& path, ProblemList& problems);
void encode_calibration(JsonWriter& json, const Calibration& calibration);

}  // namespace scalescope::formats
