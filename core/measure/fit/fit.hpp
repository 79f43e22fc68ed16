// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "core/base/watch.hpp"
#include "core/measure/fit/bootstrap.hpp"
#include "core/measure/fit/forms.hpp"
#include "core/measure/fit/interpret.hpp"
#include "core/measure/fit/metrics.hpp"
#include "core/measure/fit/optimizers.hpp"
#include "core/measure/runs/runs.hpp"

/// From measured runs to a model of their time, with how good and how sure it is (spec: Kavarakuntla et al., arXiv
/// 2305.11665; what they leave open is decided in docs/decisions/fitting.md).
namespace scalescope::measure {

enum class FitOptimizer {
    fast,       ///< least squares from many starts
    evolution,  ///< differential evolution; the fast way is run beside it, and both must agree
};

struct FitOptions {
    FormChoice form;
    Loss loss = Loss::squared;
    double huber_delta = 0.15;
    bool absolute_penalty = false;       ///< λ weighs |θ| (L1), not θ² (L2)
    std::optional<double> lambda = 0.0;  ///< nothing: chosen by cross-validation
    FitOptimizer optimizer = FitOptimizer::fast;
    std::uint64_t seed = 1;
    std::size_t threads = 1;
    std::size_t refits = 200;  ///< of the bootstrap; 0: none
    EvolutionOptions evolution;
};

/// λ and the mean loss on the folds that were held out.
struct LambdaScore {
    double lambda = 0.0, loss = 0.0;
};

struct Fit {
    std::shared_ptr<const Form> form;
    FitOptions options;
    std::vector<double> theta;  ///< normalized, as Evaluator takes it
    Solution solution;
    std::optional<Solution> check;  ///< of the other optimizer
    double lambda = 0.0;
    std::vector<LambdaScore> lambdas;               ///< where it was chosen
    std::vector<double> predicted;                  ///< seconds of every run, fitted or held out
    std::vector<Interval> bands;                    ///< 90 %; empty without a bootstrap
    std::vector<std::vector<std::string>> outside;  ///< factors of every run that lie beyond what was fitted
    SplitMetrics metrics;
    std::vector<Baseline> baselines;
    Bootstrap boot;
    Findings findings;
    std::optional<RepeatNoise> noise;  ///< of runs with the same factors
    double extrapolation_error = 0.0;  ///< MAPE on the runs with most workers by a fit without them; widens bands
    Problems warnings;
};

/// Fits the runs that are not held out. Ended by `watch`, it returns a problem. `listener` hears the best cost.
Result<Fit> fit_runs(const Runs& runs, const FitOptions& options, const Watch& watch = {},
                     const CostListener& listener = {});

/// Everything of a fit of `runs` that follows from its form, constants, refits and extrapolation error: predictions,
/// bands, metrics, baselines, noise, findings.
Result<void> judge_fit(Fit& fit, const Runs& runs);

/// Bands of runs with a factor outside of what was fitted become wider by the error that extrapolating makes.
void widen_extrapolated(std::vector<Interval>& bands, const std::vector<std::vector<std::string>>& outside,
                        double extrapolation_error);

}  // namespace scalescope::measure
