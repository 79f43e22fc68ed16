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

}  // namespace scalescope::measure
