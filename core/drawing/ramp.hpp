// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace scalescope::drawing {

/// Amounts from a small to a large one on a logarithmic scale, for colours: what is ten times as much stands equally
/// far away wherever it is.
struct Ramp {
    double least = 1, most = 10;
    bool empty = true;  ///< there is nothing to show

    /// 0 at `least` or below, 1 at `most` or above.
    double place(double value) const;
    /// Amounts worth a label: the two ends, and powers of ten that keep clear of them.
    std::vector<double> ticks() const;
};

/// Over all positive amounts, but three powers of ten at most below the largest: what is less is all alike. Its ends
/// are round: 1, 2 or 5 times a power of ten.
Ramp ramp_over(std::span<const double> amounts);

}  // namespace scalescope::drawing
