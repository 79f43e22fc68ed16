// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/ramp.hpp"

#include <algorithm>
#include <cmath>

namespace scalescope::drawing {
namespace {

constexpr double widest = 1000;

/// The largest of 1, 2, 5 times a power of ten that is no more than `value`, or the smallest that is no less.
double round_end(double value, bool upwards) {
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    double best = upwards ? 10 * power : power;
    for (const double step : {1.0, 2.0, 5.0, 10.0}) {
        const double candidate = step * power;
        if (upwards && candidate >= value * (1 - 1e-12)) return candidate;
        if (!upwards && candidate <= value * (1 + 1e-12)) best = candidate;
    }
    return best;
}

}  // namespace

double Ramp::place(double value) const {
    if (empty || !(value > least)) return 0;
    if (value >= most) return 1;
    return std::log(value / least) / std::log(most / least);
}

std::vector<double> Ramp::ticks() const {
    if (empty) return {};
    std::vector<double> result{least};
    for (double power = std::pow(10.0, std::ceil(std::log10(least) + 1e-9)); power < most * (1 - 1e-9); power *= 10)
        if (place(power) > 0.15 && place(power) < 0.85) result.push_back(power);
    result.push_back(most);
    return result;
}

Ramp ramp_over(std::span<const double> amounts) {
    double least = 0, most = 0;
    for (double a : amounts) {
        if (!(a > 0) || !std::isfinite(a)) continue;
        most = std::max(most, a);
        least = least > 0 ? std::min(least, a) : a;
    }
    if (!(most > 0)) return {};
    Ramp ramp;
    ramp.empty = false;
    ramp.most = round_end(most, true);
    ramp.least = round_end(std::max(least, most / widest), false);
    if (!(ramp.least < ramp.most)) ramp.least = ramp.most / 10;
    return ramp;
}

}  // namespace scalescope::drawing
