// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/watch.hpp"
#include "core/measure/fit/cost.hpp"
#include "core/measure/fit/solution.hpp"

namespace scalescope::measure {

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

}  // namespace scalescope::measure
