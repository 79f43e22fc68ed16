// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "core/estimate/staged_step.hpp"

/// Where the stages of a pipeline begin (docs/decisions/dividing-work.md, "Where stages begin").
namespace scalescope {

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

}  // namespace scalescope
