// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

#include "core/measure/runs/runs.hpp"

namespace scalescope::measure {

/// How far predictions are from measurements. Errors are shares of the measured time: 0.04 is 4 %.
struct FitMetrics {
    std::size_t runs = 0;
    double mean_error = 0.0;  ///< MAPE
    double median_error = 0.0;
    double worst_error = 0.0;
    double within_tenth = 0.0;  ///< share of runs with an error of at most 10 %
    Seconds root_mean_square{};
    double r_squared = 0.0;  ///< 1 − Σ(t̂ − t)²/Σ(t − mean)²; 0 where all measured times are the same
};

FitMetrics metrics_of(std::span<const double> predicted, std::span<const double> measured);

/// One way to predict, on the three kinds of runs.
struct SplitMetrics {
    FitMetrics training, held_out;
    FitMetrics extrapolated;  ///< of the held out those with more workers than any run of the fit
};

/// Predictions for every run of `runs`, compared by its split.
SplitMetrics split_metrics(const Runs& runs, std::span<const double> predicted, std::string_view workers = "workers");

/// Runs with more workers than any that is fitted.
std::vector<bool> beyond_training(const Runs& runs, std::string_view workers = "workers");

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
