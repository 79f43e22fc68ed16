// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/watch.hpp"
#include "core/measure/fit/cost.hpp"
#include "core/measure/fit/solution.hpp"

namespace scalescope::measure {

/// Differential evolution (Storn and Price, J. Global Optimization 11, 1997), best/1/bin from a Latin hypercube. The
/// settings are those of the reference fit in the spec of the generic model, section 3.
struct EvolutionOptions {
    std::uint64_t seed = 1;
    std::size_t members_per_constant = 15;
    std::size_t most_generations = 1000;
    double least_factor = 0.5, most_factor = 1.0;  ///< the factor of a difference, drawn once for a generation
    double crossover = 0.7;
    double tolerance = 1e-8;  ///< ends where the costs' standard deviation is below this share of their mean
    bool polish = true;       ///< least squares from the best member at the end
    std::size_t threads = 1;
};

/// Members are replaced only after all trials of a generation are priced, and every member draws from a stream of its
/// own: the result has the same bits for any number of threads.
Solution evolve(const Objective& objective, const EvolutionOptions& options, const Watch& watch = {},
                const CostListener& listener = {});

}  // namespace scalescope::measure
