// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/optimizers.hpp"

#include <algorithm>
#include <cmath>

#include "core/measure/fit/linear.hpp"
#include "core/measure/fit/random.hpp"

namespace scalescope::measure {

namespace {

constexpr double first_damping = 1e-3, most_damping = 1e16;
constexpr double least_gain = 1e-13;  ///< of the cost; below it twice in a row the search ends

/// The constants that may move: neither given nor pressed against a bound.
std::vector<std::size_t> free_constants(const std::vector<Constant>& constants, std::span<const double> theta,
                                        std::span<const double> gradient) {
    std::vector<std::size_t> free;
    for (std::size_t d = 0; d < theta.size(); ++d) {
        const bool pressed =
            (theta[d] <= constants[d].low && gradient[d] > 0.0) || (theta[d] >= constants[d].high && gradient[d] < 0.0);
        if (constants[d].width() > 0.0 && !pressed) free.push_back(d);
    }
    return free;
}

/// The damped step of the free constants, cut at the bounds; empty if the system has no solution.
std::vector<double> stepped(const std::vector<Constant>& constants, std::span<const double> theta,
                            std::span<const double> gradient, std::span<const double> matrix,
                            const std::vector<std::size_t>& free, double damping) {
    const std::size_t m = free.size(), size = theta.size();
    std::vector<double> system(m * m), step(m);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j <= i; ++j) system[i * m + j] = matrix[free[i] * size + free[j]];
        const double diagonal = matrix[free[i] * size + free[i]];
        const double width = constants[free[i]].width();
        system[i * m + i] = diagonal + damping * std::max(diagonal, 1e-12 / (width * width));
        step[i] = -gradient[free[i]];
    }
    if (!solve_positive(system, step)) return {};
    std::vector<double> next(theta.begin(), theta.end());
    for (std::size_t i = 0; i < m; ++i)
        next[free[i]] = std::clamp(next[free[i]] + step[i], constants[free[i]].low, constants[free[i]].high);
    return next;
}

}  // namespace

Solution least_squares(const Objective& objective, std::span<const double> start, Workspace& space,
                       int most_iterations) {
    const auto& constants = objective.constants();
    const std::size_t size = objective.size();
    Solution best;
    best.theta.assign(start.begin(), start.end());
    for (std::size_t d = 0; d < size; ++d)
        best.theta[d] = std::clamp(best.theta[d], constants[d].low, constants[d].high);
    std::vector<double> gradient(size), matrix(size * size);
    best.cost = objective.linearize(best.theta, space, gradient, matrix);
    best.evaluations = 1;
    double damping = first_damping;
    int small_gains = 0;
    for (int iteration = 0; iteration < most_iterations && std::isfinite(best.cost); ++iteration) {
        const auto free = free_constants(constants, best.theta, gradient);
        if (free.empty() || damping > most_damping) best.converged = true;
        if (best.converged) break;
        const auto next = stepped(constants, best.theta, gradient, matrix, free, damping);
        const double cost = next.empty() ? HUGE_VAL : objective.cost(next, space);
        ++best.evaluations;
        if (!(cost < best.cost)) {
            damping *= 4.0;
            continue;
        }
        small_gains = best.cost - cost <= least_gain * best.cost ? small_gains + 1 : 0;
        best.theta = next;
        best.cost = objective.linearize(best.theta, space, gradient, matrix);
        ++best.evaluations;
        damping = std::max(damping * 0.2, 1e-14);
        if (small_gains >= 2) best.converged = true;
    }
    return best;
}

Solution multistart(const Objective& objective, const MultistartOptions& options, const Watch& watch,
                    const CostListener& listener) {
    constexpr int first_steps = 25;
    constexpr std::size_t finalists = 4;
    const auto& constants = objective.constants();
    const std::size_t size = objective.size();
    const std::size_t starts = options.starts ? options.starts : 16 + 4 * size;
    const auto points = latin_hypercube(starts, size, Draws(options.seed, {0x57a7}));
    Workspace space;
    std::vector<Solution> found;
    Solution best;
    best.cost = HUGE_VAL;
    std::vector<double> theta(size);
    for (std::size_t s = 0; s < starts && !watch.cancel.cancelled(); ++s) {
        for (std::size_t d = 0; d < size; ++d) {
            const Constant& c = constants[d];
            // Terms that add up to the time are each far below the ten times of it that their bound allows.
            const double share = c.kind == ConstantKind::scale ? 0.1 : 1.0;
            theta[d] = c.low + share * points[s * size + d] * c.width();
        }
        found.push_back(least_squares(objective, theta, space, first_steps));
        best.evaluations += found.back().evaluations;
        best.cost = std::min(best.cost, found.back().cost);
        best.best_costs.push_back(best.cost);
        if (listener) listener(s + 1, best.cost);
        watch.progress(static_cast<double>(s + 1) / static_cast<double>(starts + finalists), "least squares");
    }
    std::ranges::stable_sort(found, {}, &Solution::cost);
    found.resize(std::min(found.size(), finalists));
    best.cost = HUGE_VAL;
    for (const Solution& candidate : found) {
        Solution refined = watch.cancel.cancelled() ? candidate : least_squares(objective, candidate.theta, space);
        best.evaluations += refined.evaluations;
        if (!(refined.cost < best.cost)) continue;
        best.cost = refined.cost;
        best.theta = std::move(refined.theta);
        best.converged = refined.converged;
    }
    if (best.theta.empty()) {  // ended before the first start
        for (const Constant& c : constants) best.theta.push_back(0.5 * (c.low + c.high));
        best.cost = objective.cost(best.theta, space);
    }
    best.generations = starts;
    best.best_costs.push_back(best.cost);
    best.cancelled = watch.cancel.cancelled();
    return best;
}

}  // namespace scalescope::measure
