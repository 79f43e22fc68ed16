// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/measure/validate/validate.hpp"

namespace scalescope::measure {

/// Mean, median (the mean of the middle two) and worst of errors, whatever their sign.
ErrorSummary summarise_errors(std::vector<double> errors);

/// Of each table, in their order: times and rates, memory, and figures that a model computed, each apart.
std::vector<GroupSummary> tables_of(const std::vector<ValidatedRow>& rows);

/// Of each source by number of workers; of rows on one device by network and by device, as `counts` says; of each
/// table.
std::vector<GroupSummary> summarise(const std::vector<ValidatedRow>& rows);

/// Each reason and how many rows have it, the most frequent first.
std::vector<std::pair<std::string, std::size_t>> reasons_of(const std::vector<ValidatedRow>& rows);

}  // namespace scalescope::measure
