// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/time_scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/format.hpp"
#include "core/base/sequences.hpp"

namespace scalescope {
namespace {

constexpr double least_milliseconds = 0.1e-3, least_seconds = 1.0;

TimeUnit natural_unit(double s) {
    if (s < least_milliseconds) return TimeUnit::microseconds;
    return s < least_seconds ? TimeUnit::milliseconds : TimeUnit::seconds;
}

int wanted_decimals(double value) {
    constexpr int digits = 4, most = 3;
    const int before = value >= 1 ? static_cast<int>(std::floor(std::log10(value))) + 1 : 1;
    return std::clamp(digits - before, 0, most);
}

}  // namespace

std::string_view name_of(TimeUnit unit) { return one_of(unit, "µs", "ms", "s"); }

double per_second(TimeUnit unit) {
    constexpr std::array<double, 3> units{1e6, 1e3, 1.0};
    return units[static_cast<std::size_t>(unit)];
}

TimeUnit fitting_unit(Seconds largest, std::optional<TimeUnit> present) {
    const double s = std::abs(largest.value);
    if (!(s > 0.0) || !std::isfinite(s)) return present.value_or(TimeUnit::milliseconds);
    const TimeUnit wanted = natural_unit(s);
    const bool near = present && (natural_unit(s * 2) == *present || natural_unit(s / 2) == *present);
    return near ? *present : wanted;
}

TimeScale fitting_scale(Seconds largest, std::optional<TimeScale> present) {
    TimeScale scale;
    scale.unit = fitting_unit(largest, present ? std::optional(present->unit) : std::nullopt);
    const double value = std::abs(largest.value) * per_second(scale.unit);
    if (!std::isfinite(value)) return scale;
    scale.decimals = wanted_decimals(value);
    if (present && present->unit == scale.unit && std::abs(present->decimals - scale.decimals) <= 1)
        scale.decimals = present->decimals;
    return scale;
}

std::string format_in(Seconds t, const TimeScale& scale) {
    if (!std::isfinite(t.value)) return std::string(no_value);
    if (t.value == 0.0) return "0";
    std::string text = format_fixed(t.value * per_second(scale.unit), scale.decimals);
    if (text.find_first_of("123456789") != std::string::npos) return text;
    text.back() = '1';
    return (t.value < 0.0 ? ">\u2212" : "<") + text;
}

}  // namespace scalescope
