// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/units/units.hpp"

/// The one rule for times that are shown together: a column, a panel, an axis. All of them have one unit and as many
/// decimals, chosen by the longest. A single time is written by format_time, which takes the same units.
namespace scalescope {

enum class TimeUnit { microseconds, milliseconds, seconds };
/// "µs", "ms", "s".
std::string_view name_of(TimeUnit unit);
double per_second(TimeUnit unit);

/// µs below 0.1 ms, s from 1 s on. `present`, what was shown just before, stays until the time is less than half or
/// more than twice what it is good for: a hand that drags across a border sees no flicker.
TimeUnit fitting_unit(Seconds largest, std::optional<TimeUnit> present = {});

struct TimeScale {
    TimeUnit unit = TimeUnit::milliseconds;
    int decimals = 1;
    bool operator==(const TimeScale&) const = default;
};
/// Four digits for the longest, at most three decimals. With `present` the number of decimals changes only when it is
/// off by more than one.
TimeScale fitting_scale(Seconds largest, std::optional<TimeScale> present = {});
/// "238.9", without its unit; what is not 0 but too short to be seen is "<0.01".
std::string format_in(Seconds t, const TimeScale& scale);

}  // namespace scalescope
