// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/network/kind.hpp"

/// Layers that use weights of others (docs/decisions/shared-weights.md). For network.cpp and inference.cpp alone.
namespace scalescope {

/// What is wrong with the layer at `position` of `layers`, all before it known, sharing the weights of another. Sets
/// `facts.shares` and `owner` if nothing is.
Result<void> share_weights(std::span<const Layer> layers, std::span<const LayerFacts> known, int position,
                           LayerFacts& facts, int& owner);

/// Takes inputs that all samples share out of those that each has for itself. `inputs`: facts of the layers it reads.
void split_trained_inputs(LayerFacts& facts, std::span<const LayerFacts* const> inputs);

}  // namespace scalescope
