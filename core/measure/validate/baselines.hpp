// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace scalescope::measure {

/// A measured rate on several workers, over what the same source measured on one worker, and the workers.
struct ScalingPoint {
    double speedup = 1;
    double workers = 1;
};

/// The mean of |predicted/measured − 1| of the speedups, and the constant of the rule that predicts them.
struct BaselineError {
    double mean = 0, constant = 1;
};

/// Speedup = workers.
BaselineError linear_baseline(std::span<const ScalingPoint> points);
/// Speedup = c · workers, with the c of least mean error on these very points.
BaselineError constant_baseline(std::span<const ScalingPoint> points);
/// Speedup = workers^a, with the a of least mean error on these very points.
BaselineError power_baseline(std::span<const ScalingPoint> points);

}  // namespace scalescope::measure
