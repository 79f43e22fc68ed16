// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/checked.hpp"
#include "core/parallel/mesh.hpp"
#include "core/parallel/message.hpp"
#include "core/pricing/rates.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope {

/// A number that depends on how many ranks there are. A value and a text of each: collectives.cpp.
enum class OfRanks : std::uint8_t {
    once,
    twice,
    others,        ///< n − 1
    twice_others,  ///< 2·(n − 1)
    part,          ///< (n − 1)/n
    twice_part,
    hops,  ///< ⌈log₂ n⌉
    twice_hops,
    halvings,          ///< 2·log₂ n
    halvings_of_core,  ///< of the largest power of two up to n, and to it and back for the other ranks
    parts_of_core
};

/// One way to send a message over one level: start-up times and how often the buffer crosses a rank's link.
struct CollectiveRow {
    OfRanks startups, crossings;
};
/// The row of the table of docs/decisions/collectives.md for two ranks or more. PALEO's four schemes are those of the
/// ICLR 2017 paper's code with a start-up time for each message.
const CollectiveRow& collective_row(Message message, Collective algorithm, std::int64_t ranks);
double value_of(OfRanks factor, std::int64_t ranks);
/// The cost of that row as a formula: `n` ranks, `s` the bytes, `a` the start-up time and `w` the bandwidth, all texts
/// of expressions.
std::string collective_formula(Message message, Collective algorithm, std::int64_t ranks, const std::string& n,
                               const std::string& s, const std::string& a, const std::string& w);

/// The algorithm that prices a message when the setting is `asked`. PALEO's schemes and parameter servers only apply to
/// all-reduces: other messages use the ring instead. Where a tree was asked for, they use the recursive algorithm.
Collective priced_as(Message message, Collective asked);

/// Whether the scheme knows no nodes and runs on the slowest link the group spans, as PALEO's do.
bool one_level(Collective algorithm);
/// Share of an all-reduce that may travel under the backward pass: a parameter server's weights come back only
/// before the next step.
inline double share_under_backward(Collective c) { return c == Collective::parameter_server ? 0.5 : 1.0; }
/// Its name in a sentence, and where it was published.
std::string_view word_for(Collective algorithm);
const char* source_of(Collective algorithm);

/// A group of ranks as the links see it.
struct GroupReach {
    std::int64_t ranks = 1;
    std::int64_t in_node = 1;  ///< of them in one node, where that are most
    std::int64_t nodes = 1;    ///< in which they are
    std::int64_t sending = 1;  ///< devices of a node that send at once, in this group or in others like it
    /// All-to-all that leaves a rank once for each node, where the rank in the same place passes it on: what goes to
    /// nodes over what goes to ranks. 0: every rank sends to every other one.
    double by_node = 0;

    /// Groups of a node that send at once.
    double groups() const { return static_cast<double>(sending) / static_cast<double>(in_node); }
    bool operator==(const GroupReach&) const = default;
};
/// Of a group on a mesh of `devices`, all of whose groups of that kind send at the same time.
GroupReach reach_of(const RankGroup& group, std::int64_t devices, const LinkRates& links);
/// Of the first `ranks` devices.
inline GroupReach reach_of(std::int64_t ranks, const LinkRates& links) {
    const std::int64_t node = links.devices_per_node;
    if (ranks <= node) return {ranks, ranks, 1, ranks};
    return {ranks, node, ceil_div(ranks, node), node};
}
/// Of groups like this one that fill the devices of a mesh from the first one on: of the one that lies in most nodes.
GroupReach reach_on_mesh(const RankGroup& group, std::int64_t devices, const LinkRates& links);
inline GroupReach reach_of(const Mesh& mesh, MeshAxis axis, const LinkRates& links) {
    const std::int64_t devices = mesh.devices();
    return mesh.degree(axis) == devices ? reach_of(devices, links) : reach_on_mesh(mesh.group(axis), devices, links);
}
/// Of the devices that hold the same weights: those of the context and the data axis together.
inline GroupReach reach_of_replicas(const Mesh& mesh, const LinkRates& links) {
    const std::int64_t devices = mesh.devices();
    return mesh.replicas() == devices ? reach_of(devices, links) : reach_on_mesh(mesh.replicas_group(), devices, links);
}
/// Of the devices that hold the same experts.
inline GroupReach reach_of_experts(const Mesh& mesh, const LinkRates& links) {
    return reach_on_mesh(mesh.expert_data_group(), mesh.devices(), links);
}
/// Of `ranks` devices that hold the same place in stages from `first` to `last`: in one node if these are, wherever
/// such a row of stages begins, otherwise each counts as one in a node of its own.
GroupReach reach_of_stages(std::int64_t ranks, std::int64_t first, std::int64_t last, const Mesh& mesh,
                           const LinkRates& links);

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
    bool at_once = false;  ///< the options are parts of the message that go on beside each other: the longest counts

    const LinearCost& best(Bytes s) const {
        int b = 0;
        for (int i = 1; i < count; ++i) {
            const LinearCost &one = options[static_cast<std::size_t>(i)], &known = options[static_cast<std::size_t>(b)];
            if (at_once ? one.at(s) > known.at(s) : one.at(s) < known.at(s)) b = i;
        }
        return options[static_cast<std::size_t>(b)];
    }
    Seconds at(Bytes s) const { return best(s).at(s); }
};

/// One level, n ranks, start-up time α, bandwidth W one way per rank; S is the full buffer
/// (the table of collectives.cpp). One rank costs nothing.
LinearCost flat_cost(Message message, Collective algorithm, std::int64_t n, Seconds alpha, BytesPerSecond w);

/// Each of them `share` of it.
MessageCost scaled(MessageCost cost, double share);

/// Over nodes. All-to-all: `S` is what a rank has for all others, and goes inside the node and out of it at the same
/// time, also where nodes pass it on (specification: composed parallelism, section 2). All others: one level if the
/// ranks lie in one, or in each of them one, otherwise hierarchical (reduce-scatter inside, collective between,
/// all-gather inside). Devices of a node that send at once share its network cards.
MessageCost message_cost(Message message, Collective algorithm, const GroupReach& group, const LinkRates& links);

/// Whether stage `from` and the next one, each of `width` devices, are in one node.
inline bool next_in_node(std::int64_t from, std::int64_t width, const LinkRates& links) {
    return from * width / links.devices_per_node == ((from + 2) * width - 1) / links.devices_per_node;
}
/// From a device of a stage to its partner in the next one, in the same node or not. All `width` devices send at once.
LinearCost neighbour_cost(bool in_node, std::int64_t width, const LinkRates& links);

}  // namespace scalescope
