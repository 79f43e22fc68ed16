// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/sharded_states.hpp"

#include <algorithm>

#include "core/base/checked.hpp"

namespace scalescope {
namespace {

std::int64_t padded(std::int64_t elements, std::int64_t pieces) { return ceil_div(elements, pieces) * pieces; }

/// `times` times around the ring of `ranks`, of a buffer that divides among them.
void send(StateTraffic::Sent& sent, std::int64_t elements, std::int64_t ranks, std::int64_t times) {
    sent.elements += times * (elements / ranks * (ranks - 1));
    sent.messages += times * (ranks - 1);
}

}  // namespace

StateTraffic state_traffic(const StateSharding& s, std::span<const std::int64_t> parameters) {
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

}  // namespace scalescope
