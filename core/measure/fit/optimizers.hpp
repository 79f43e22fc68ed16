// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/watch.hpp"
#include "core/measure/fit/cost.hpp"

namespace scalescope::measure {

/// What an optimizer found. If somebody ended it, the best so far.
struct Solution {
    std::vector<double> theta;
    double cost = 0.0;
    std::size_t evaluations = 0;
    std::size_t generations = 0;  ///< or starts
    bool converged = false;
    bool cancelled = false;
    std::vector<double> best_costs;  ///< after every generation or start
};

/// Hears the best cost after every generation or start, on the thread that asked for the fit.
using CostListener = std::function<void(std::size_t generation, double best)>;

/// Levenberg's and Marquardt's method within bounds: constants at a bound that the gradient pushes outwards are held,
/// steps are cut at the bounds, and only steps that lower the cost are taken. `converged` if no step does any more.
Solution least_squares(const Objective& objective, std::span<const double> start, Workspace& space,
                       int most_iterations = 500);

struct MultistartOptions {
    std::uint64_t seed = 1;
    std::size_t starts = 0;  ///< 0: as many as the number of constants asks for
};

/// Least squares from many starts (a Latin hypercube of the bounds, scales near the lower end): all of them a few
/// steps, the best of them to the end. Cheaper than differential evolution by orders of magnitude, without its
/// patience where the cost has many valleys.
Solution multistart(const Objective& objective, const MultistartOptions& options, const Watch& watch = {},
                    const CostListener& listener = {});

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
