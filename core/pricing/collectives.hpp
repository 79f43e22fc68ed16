// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "core/pricing/rates.hpp"

namespace scalescope {

enum class Message {
    all_reduce,
    reduce_scatter,
    all_gather,
    broadcast,
    reduce,
    point_to_point,
    push,  ///< of a worker's gradients to its parameter servers (core/schedule/asynchronous)
    pull   ///< of the weights, back
};

/// Cost of a message as a straight line over its bytes: start + slope · S (an α-β model).
struct LinearCost {
    Seconds start;
    double seconds_per_byte = 0;
    Collective algorithm = Collective::ring;
    Seconds at(Bytes s) const { return start + Seconds{seconds_per_byte * s.value}; }
};

/// The algorithms a message may use; the least time wins (only `automatic` offers more than one).
struct MessageCost {
    static constexpr std::array choices{Collective::ring, Collective::recursive, Collective::tree};
    std::array<LinearCost, choices.size()> options;
    int count = 1;

    const LinearCost& best(Bytes s) const {
        int b = 0;
        for (int i = 1; i < count; ++i)
            if (options[static_cast<std::size_t>(i)].at(s) < options[static_cast<std::size_t>(b)].at(s)) b = i;
        return options[static_cast<std::size_t>(b)];
    }
    Seconds at(Bytes s) const { return best(s).at(s); }
};

/// One level, n ranks, start-up time α, bandwidth W one way per rank; S is the full buffer. The table of
/// docs/decisions/collectives.md; PALEO's four schemes are those of the ICLR 2017 paper's code with α per message.
/// One rank costs nothing.
LinearCost flat_cost(Message message, Collective algorithm, std::int64_t n, Seconds alpha, BytesPerSecond w);

/// Share of an all-reduce that may travel under the backward pass: a parameter server's weights come back only
/// before the next step.
inline double share_under_backward(Collective c) { return c == Collective::parameter_server ? 0.5 : 1.0; }

/// The algorithm whose cost a message has where `asked` was asked for: PALEO's schemes and parameter servers are for
/// the all-reduce, all else goes by the ring; what is no all-reduce goes over a tree as it does recursively.
Collective priced_as(Message message, Collective asked);

/// Whether the scheme knows no nodes and runs on the slowest link the group spans, as PALEO's do.
bool one_level(Collective algorithm);

/// Each of them `share` of it.
MessageCost scaled(MessageCost cost, double share);

/// Over the whole cluster: one level if the ranks fit in a node or nodes hold one device each, otherwise hierarchical
/// (reduce-scatter inside, collective between, all-gather inside; the ranks of a node share its network cards).
MessageCost message_cost(Message message, Collective algorithm, std::int64_t n, const LinkRates& links);

/// The links among some of the workers from `first` to `last`, wherever they stand: inside a node if both stand in it,
/// otherwise each counts as one in a node of its own.
LinkRates links_among(std::int64_t first, std::int64_t last, const LinkRates& links);

/// From worker `from` to worker `from + 1`.
LinearCost neighbour_cost(std::int64_t from, const LinkRates& links);

}  // namespace scalescope
