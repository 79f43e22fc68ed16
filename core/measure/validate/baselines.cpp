// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/validate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace scalescope::measure {

namespace {

template <class Predict>
double mean_scaling_error(std::span<const ScalingPoint> points, Predict predict) {
    double sum = 0;
    for (const ScalingPoint& p : points) sum += std::abs(predict(p.workers) / p.speedup - 1.0);
    return points.empty() ? 0.0 : sum / static_cast<double>(points.size());
}

}  // namespace

BaselineError linear_baseline(std::span<const ScalingPoint> points) {
    return {mean_scaling_error(points, [](double n) { return n; }), 1.0};
}

BaselineError constant_baseline(std::span<const ScalingPoint> points) {
    if (points.empty()) return {};
    // Σ|c·x − 1| is least at the median of 1/x weighted by x.
    std::vector<std::pair<double, double>> steps;  // 1/x, x
    double total = 0;
    for (const ScalingPoint& p : points) {
        const double x = p.workers / p.speedup;
        steps.emplace_back(1.0 / x, x);
        total += x;
    }
    std::sort(steps.begin(), steps.end());
    double below = 0, c = steps.back().first;
    for (const auto& [place, weight] : steps) {
        below += weight;
        if (2 * below >= total) {
            c = place;
            break;
        }
    }
    return {mean_scaling_error(points, [c](double n) { return c * n; }), c};
}

BaselineError power_baseline(std::span<const ScalingPoint> points) {
    if (points.empty()) return {};
    // Not convex: the best of a fine grid, then of a finer one around it.
    BaselineError best{HUGE_VAL, 1.0};
    const auto look = [&](double from, double to, int steps) {
        for (int i = 0; i <= steps; ++i) {
            const double a = from + (to - from) * i / steps;
            const double mean = mean_scaling_error(points, [a](double n) { return std::pow(n, a); });
            if (mean < best.mean) best = {mean, a};
        }
    };
    look(0.0, 1.5, 1500);
    const double near = best.constant;
    look(near - 0.001, near + 0.001, 200);
    return best;
}

}  // namespace scalescope::measure
