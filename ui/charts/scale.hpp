// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/base/time_scale.hpp"
#include "core/units/units.hpp"

namespace scalescope::ui {

/// A part of an axis, in its own unit.
struct Range {
    double lower = 0.0, upper = 1.0;
    double size() const { return upper - lower; }
    bool operator==(const Range&) const = default;
};

/// From values to pixels and back, linear or logarithmic.
struct AxisMap {
    Range range;
    double from_px = 0.0, to_px = 1.0;  ///< pixels of the lower and the upper end
    bool logarithmic = false;

    double px(double value) const;
    double value(double px) const;
};

using scalescope::TimeUnit;  // not that of measured runs
QString unit_name(TimeUnit unit);

/// The smallest round number that is `need` or more.
double nice_top(double need);
/// The upper end of an axis while data change: grows at once, shrinks only when more than a third of it is empty.
double steady_top(double present, double need);
/// Round values from 0 (or the first one in range) that label an axis, at most `most`.
std::vector<double> nice_ticks(Range range, int most);
/// Powers of `base` (2 or 4) within the range, thinned until at most `most` are left; two of them at least where the
/// range holds two powers of 2.
std::vector<double> power_ticks(Range range, int base, int most);
/// 1, 2 and 5 of every power of ten within the range, or powers of ten alone where that would be more than `most`; nice
/// ticks where the range is too short for either.
std::vector<double> decade_ticks(Range range, int most);
/// Labels of power_ticks: "1/256", "16", "1,024", beyond a million "2⁻²⁰", "2²⁰". Of other ticks, where the axis shows
/// too little for powers: as tick_labels has them.
std::vector<QString> power_tick_labels(const std::vector<double>& ticks);
/// Labels of ticks on a logarithmic axis, all in one style: "0.05", "1", "50,000"; from ten million on "50 M"; where
/// one is below 0.0001 powers of ten, "5·10⁻⁶".
std::vector<QString> log_tick_labels(const std::vector<double>& ticks);
/// Labels of nice ticks: as many decimals as their step needs, zero is "0".
std::vector<QString> tick_labels(const std::vector<double>& ticks);

}  // namespace scalescope::ui
