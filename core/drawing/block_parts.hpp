// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/network/network.hpp"

/// What the layers of a transformer's block are for, told from kinds and connections alone.
namespace scalescope::drawing {

/// Successive layers of a block that do one thing.
struct BlockPart {
    std::string_view title;  ///< "Norm", "Q, K, V", "Attention", "Output", "Gate, up", "Up", "Down", "Experts" …
    std::vector<int> layers;
};

/// The parts of the block that consists of these layers (positions, ascending), in their order; empty if there is no
/// attention, no experts and no layer of unknown kind in it, such as a state-space scan.
/// A branch ends where a sum joins it with what went round it. In a branch, layers that lead to the attention are its
/// projections, those behind it its output; layers up to the function between two products are the upper part of a
/// feed-forward network, those behind it the lower part.
std::vector<BlockPart> parts_of_block(const Network& network, const std::vector<int>& layers);

/// "Expert block", "State-space block", "Decoder block" or "Block": what tells blocks of different kinds apart.
std::string title_of_block(const Network& network, const std::vector<BlockPart>& parts);

}  // namespace scalescope::drawing
