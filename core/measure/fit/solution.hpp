// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

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

}  // namespace scalescope::measure
