// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/formats/json_decoder.hpp"
#include "core/formats/json_writer.hpp"
#include "core/measure/fit/fitted_runs.hpp"

namespace scalescope::measure {

/// How a table is read and fitted, as an object of JSON: {"columns": {…}, "filters": […], "hold_out": {…}, "form": {…},
/// "search": {…}}. Reads back as the same settings; only `threads` is not among them.
void write_setup(formats::JsonWriter& json, const FitSetup& setup);
/// Nothing, and problems, if it is broken.
std::optional<FitSetup> read_setup(formats::JsonValue value, const std::string& path, formats::ProblemList& problems);

}  // namespace scalescope::measure
