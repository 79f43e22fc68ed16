// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/measure/validate/validate.hpp"

namespace scalescope::measure {

/// The one-worker row most like `row`: same source, framework, network, device, precision, metric and unit; of those
/// the one with most phrases of its notes, then the nearest batch, then the nearest line. Nothing if there is none.
std::optional<std::size_t> one_worker_row(const std::vector<PublishedRow>& rows, std::size_t row);

/// By how much the device of `scenario` must be faster (`scaled_speed`) for the row to come out as measured; a reason
/// if no factor does that.
Result<double> fitted_speed(const PublishedRow& row, const ResolvedRow& resolved, const Scenario& scenario);

/// The same for rows that differ only in the metric: they describe one run.
std::string configuration_key(const PublishedRow& row);

/// The key of rows that Calibrate::split learns from together.
std::string split_key(const PublishedRow& row);

}  // namespace scalescope::measure
