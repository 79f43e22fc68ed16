// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// What sharded training states send, counted: what estimates are compared with. Agrees with 1,152 steps whose shards
/// were sent one by one (tests/data/parallel).

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/base/checked.hpp"
#include "core/scenario/scenario.hpp"

namespace support {

using scalescope::ceil_div, scalescope::Sharded;

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
inline std::int64_t padded(std::int64_t elements, std::int64_t pieces) { return ceil_div(elements, pieces) * pieces; }

/// `times` times around the ring of `ranks`, of a buffer that divides among them.
inline void send(StateTraffic::Sent& sent, std::int64_t elements, std::int64_t ranks, std::int64_t times) {
    sent.elements += times * (elements / ranks * (ranks - 1));
    sent.messages += times * (ranks - 1);
}

/// Traffic of one step. `parameters`: the number of each layer, in the order of the forward pass.
inline StateTraffic state_traffic(const StateSharding& s, std::span<const std::int64_t> parameters) {
    StateTraffic t;
    const bool whole_gradients = s.sharded <= Sharded::optimizer || !s.reduce_each;
    const std::int64_t reductions = whole_gradients ? 1 : s.micro_batches;
    for (std::size_t l = 0; l < parameters.size(); ++l) {
        const std::int64_t elements = padded(parameters[l], s.ranks);
        if (s.sharded == Sharded::nothing) {
            send(t.all_reduce, elements, s.ranks, 2);
            continue;
        }
        send(t.scatter, elements, s.ranks, reductions);
        // The last layer's weights are still there when its backward pass begins.
        const bool twice = s.free_after_forward && l + 1 < parameters.size();
        const bool each = s.sharded == Sharded::weights && s.free_after_backward;
        send(t.gather, elements, s.ranks, each ? s.micro_batches * (twice ? 2 : 1) : 1);
        if (s.replicas > 1) send(t.all_reduce, padded(elements / s.ranks, s.replicas), s.replicas, 2);
        if (s.sharded == Sharded::weights)
            t.most_whole = s.free_after_forward && s.free_after_backward ? std::max(t.most_whole, elements)
                                                                         : t.most_whole + elements;
    }
    return t;
}

}  // namespace support
