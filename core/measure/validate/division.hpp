// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/measure/validate/resolve.hpp"

namespace scalescope::measure {

/// Cells that a table leaves out.
struct Way {
    bool batch_of_all = false, sharded = false, recompute = false;
    std::int64_t micro_steps = 1, batch = 0;
    std::int64_t tensor = 1, expert = 1, context = 1, stages = 1;
    bool operator==(const Way&) const = default;
};

/// How a network was divided that does not fit whole into a device, if the table does not say it. Tried in this order,
/// each with recomputed blocks only where it does not fit without:
/// - the batch is that of all devices, or of micro-steps;
/// - a mixture of experts: expert parallelism over at most 64 devices, and stages;
/// - fully sharded data parallelism (ZeRO-3);
/// - tensor parallelism inside a node, and stages;
/// - ZeRO-3 and context parallelism.
/// Resolves the row with the cells of the first way that fits, and says what it assumes; nothing if none does.
/// `resolve`: of a row with those cells filled. `resolved`: of the row as it is.
class Divider {
public:
    explicit Divider(std::function<ResolvedRow(const PublishedRow&)> resolve) : resolve_(std::move(resolve)) {}
    std::optional<ResolvedRow> divided(const PublishedRow& row, const ResolvedRow& resolved);

private:
    /// What was tried before, so that the rows of a table try the ways of a scenario once.
    struct Known {
        Scenario scenario;
        std::string cells;
        std::optional<Way> way;  ///< nothing if none fits
    };
    std::optional<Way> fitting(const PublishedRow& row, const ResolvedRow& resolved) const;

    std::function<ResolvedRow(const PublishedRow&)> resolve_;
    std::vector<Known> known_;
};

/// Whether the devices have room for the scenario, as far as it can be estimated.
bool fits(const Scenario& scenario);

}  // namespace scalescope::measure
