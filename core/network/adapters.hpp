// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/network/network.hpp"

/// Low-rank adapters (LoRA: Hu et al., ICLR 2022): beside a product W of x stand two more, which narrow x to a rank and
/// widen it again, and what they make is added to W·x (docs/decisions/adapters.md).
namespace scalescope {

/// The size of a network that is the rank of the adapters that this program adds.
inline constexpr std::string_view rank_symbol = "rank";

/// Layers by position.
struct Adapter {
    int product = 0;       ///< W
    int down = 0, up = 0;  ///< A and B
    int sum = 0;           ///< W·x + B·A·x, which readers of W read instead
    bool narrow = false;   ///< A and B have fewer weights than W
};

/// All adapters of a network in the order of their sums. They are found by the graph, not by names.
std::vector<Adapter> find_adapters(const Network& network);

/// Whether this program added the adapter: its rank is the size `rank_symbol`.
bool has_open_rank(const Network& network, const Adapter& adapter);

}  // namespace scalescope
