// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "core/estimate/staged_step.hpp"
#include "core/network/network.hpp"

namespace scalescope {

// Where the stages of a pipeline begin (docs/decisions/dividing-work.md, "Where stages begin").

/// What a step with some borders takes, but for what is the same with all of them.
struct BorderTrial {
    double seconds = Splits::no_limit, once = 0;  ///< and once a step, of gradients
    double bytes = Splits::no_limit;              ///< of the fullest device, if its memory was asked for
    bool fits = false;                            ///< or was not asked for
    /// The shortest that fits into memory; if none does, the one that needs least.
    bool beats(const BorderTrial& other) const {
        constexpr double alike = 1e-9;
        if (fits != other.fits) return fits;
        return fits ? seconds < other.seconds * (1 - alike) : bytes < other.bytes * (1 - alike);
    }
};
enum class AskMemory { not_at_all, yes, it_must_fit };
/// Of borders; only as far as it takes to know that they do not beat `best`, or do not fit although they must.
using TryBorders = std::function<BorderTrial(std::span<const int>, const BorderTrial& best, AskMemory)>;

/// Looks for better borders than the balanced ones, into `Scratch::best_borders`; false if there are none.
bool choose_borders(const StagedStep& step, const StagePiece& balanced, const TryBorders& trial);

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
