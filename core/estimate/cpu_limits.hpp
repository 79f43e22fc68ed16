// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/scenario/cpu_cluster.hpp"

/// Up to how many machines of a replica an answer is there at once. Beyond, trying splits or places takes from seconds
/// to a minute for networks with many branches: the verb cpu-cluster does that, with a way to end it.
namespace scalescope {

inline constexpr std::int64_t most_machines_for_best_splits = 32;
inline constexpr std::int64_t most_machines_placed_by_connections = 256;

constexpr bool takes_too_long(SegmentSplits splits, SegmentPlacement placement, std::int64_t partitions) {
    return (splits == SegmentSplits::best && partitions > most_machines_for_best_splits) ||
           (placement == SegmentPlacement::by_connections && partitions > most_machines_placed_by_connections);
}

}  // namespace scalescope
