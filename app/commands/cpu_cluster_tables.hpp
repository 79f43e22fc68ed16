// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "app/commands/output.hpp"
#include "core/yan/optimize.hpp"

/// What `cpu cluster` writes.
namespace scalescope::app {

/// A row for each layer that costs something: per sample and thread.
Table layers_table(const Network& network, const yan::PreparedNetwork& prepared, const yan::Evaluation& evaluation);

/// Figure, value, unit. `splits`: where they were searched for.
Table totals_table(const yan::PreparedNetwork& prepared, const yan::Evaluation& evaluation,
                   const std::optional<yan::BestSplits>& splits);

Table ranking_table(const yan::ClusterRanking& result);

}  // namespace scalescope::app
