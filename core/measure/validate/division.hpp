// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "core/measure/validate/resolve.hpp"

namespace scalescope::measure {

/// How a network was divided that does not fit whole into a device, if the table does not say it. Tried in this order,
/// each with recomputed blocks only where it does not fit without:
/// - the batch is that of all devices, or of micro-steps;
/// - a mixture of experts: expert parallelism over at most 64 devices, and stages;
/// - fully sharded data parallelism (ZeRO-3);
/// - tensor parallelism inside a node, and stages;
/// - ZeRO-3 and context parallelism.
/// Resolves the row with the cells of the first way that fits, and says what it assumes; nothing if none does.
/// `resolve`: of a row with those cells filled. `resolved`: of the row as it is.
std::optional<ResolvedRow> divided(const PublishedRow& row, const ResolvedRow& resolved,
                                   const std::function<ResolvedRow(const PublishedRow&)>& resolve);

/// Whether the devices have room for the scenario, as far as it can be estimated.
bool fits(const Scenario& scenario);

}  // namespace scalescope::measure
