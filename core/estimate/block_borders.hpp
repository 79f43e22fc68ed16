// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/network/network.hpp"

namespace scalescope {

/// By position, which of the network's blocks the layer is in, from 0 on; -1 in embeddings, a head, or in none.
const std::vector<int>& places_of_blocks(const Network& network);

/// Splits a network into `stages` that begin at its blocks (docs/decisions/dividing-work.md, "Where stages begin"), and
/// writes the first layer of each stage and the end (stages + 1 entries) to `borders`. Blocks are dealt out evenly. If
/// their number does not divide, the layers before the first block and those after the last one count as a block each,
/// and the first stages take one more (torchtitan; Megatron-LM: account_for_embedding_in_pipeline_split and
/// account_for_loss_in_pipeline_split). Returns false if there are too few blocks, or if one of them has more than
/// twice the work of another.
bool split_at_blocks(const Network& network, int stages, std::vector<int>& borders);

}  // namespace scalescope
