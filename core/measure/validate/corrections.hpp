// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/measure/validate/published.hpp"

/// What a person says about the columns of a table. It is kept beside the table, in "runs.csv.map" for "runs.csv": a
/// line NAME=MEANING each, as `validate --map` takes it; lines that begin with # are comments.
namespace scalescope::measure {

/// Splits "GBS=batch_global". Returns nothing if the name or the equals sign is missing.
std::optional<GivenColumn> read_correction(std::string_view text);

/// `given`, and what the file beside the table says about other names. A problem if a line of the file has another
/// form.
Result<std::vector<GivenColumn>> corrections_beside(const std::string& table_file,
                                                    std::span<const GivenColumn> given = {});
/// Keeps these beside the table, in place of what was kept there. Without any, the file is removed.
Result<void> keep_corrections(const std::string& table_file, std::span<const GivenColumn> corrections);

}  // namespace scalescope::measure
