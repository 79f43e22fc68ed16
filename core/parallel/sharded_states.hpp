// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/scenario/scenario.hpp"

namespace scalescope {

struct StateSharding {
    Sharded sharded = Sharded::nothing;
    std::int64_t ranks = 1;           ///< that share one copy; with nothing sharded, that hold copies
    std::int64_t replicas = 1;        ///< such groups (hybrid sharding)
    std::int64_t micro_batches = 1;   ///< whose gradients are added up
    bool free_after_forward = true;   ///< weights: gathered again for backward
    bool free_after_backward = true;  ///< weights: gathered again for the next micro-batch
    bool reduce_each = true;          ///< gradients: each micro-batch's are cut up, instead of adding up whole ones
};

/// Elements that one rank sends in a step, and in how many messages: n − 1 for each pass around a ring of n. Each
/// layer's weights are padded so that they divide.
struct StateTraffic {
    struct Sent {
        std::int64_t elements = 0, messages = 0;
    };
    Sent gather, scatter, all_reduce;
    std::int64_t most_whole = 0;  ///< weights sharded: elements that are there whole at once, without prefetching
};
/// Traffic of one step. `parameters`: the number of each layer, in the order of the forward pass.
StateTraffic state_traffic(const StateSharding& sharding, std::span<const std::int64_t> parameters);

}  // namespace scalescope
