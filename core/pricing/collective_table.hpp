// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/parallel/message.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope {

/// A number that depends on how many ranks there are. A value and a text of each: collective_table.cpp.
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

}  // namespace scalescope
