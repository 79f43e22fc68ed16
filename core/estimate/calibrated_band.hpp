// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/estimate/estimate.hpp"

namespace scalescope {

/// Where a measured step is to be expected with a probability of 90 %.
struct TimeBand {
    Seconds low, high;
};

/// Of a step of a calibrated scenario: step · exp(±1.645·√(gᵀCg + σ²)), g being the slopes of ln(step) by the
/// logarithms of the fitted constants, C their covariance and σ the deviation of the measurements (Laplace's
/// approximation, docs/decisions/calibration.md). Nothing without a calibration, where its constants were changed, or
/// where it does not say how they vary together. Prices the scenario once for each constant.
std::optional<TimeBand> calibrated_band(const Scenario& scenario, const Estimate& estimate);

}  // namespace scalescope
