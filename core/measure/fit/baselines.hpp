// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/fit/metrics.hpp"

namespace scalescope::measure {

/// A simpler way to predict, judged on the same split: a fit that does not beat it has learned nothing.
struct Baseline {
    std::string name;
    std::vector<double> predicted;  ///< seconds of every run
    SplitMetrics metrics;
};

/// A power law in the workers alone (least squares of ln t), a linear regression of ln t on the logarithms of the
/// numbers and the levels of the words, and the mean (of ln t) of the nearest three runs, in units of each factor's
/// standard deviation. Those that the factors do not allow are left out.
std::vector<Baseline> baselines_of(const Runs& runs, const std::vector<std::string>& factors,
                                   const std::string& workers = "workers");

}  // namespace scalescope::measure
