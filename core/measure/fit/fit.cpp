// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/fit.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "core/measure/fit/design.hpp"
#include "core/measure/fit/optimizers.hpp"
#include "core/measure/fit/random.hpp"

namespace scalescope::measure {

namespace {

Problem stopped() { return make_error("The fit was ended before it was done.", "start it again"); }

Problem no_finite_cost() {
    return make_error(
        "With no constants do these runs have a finite error: their times are too large, too small or too far apart.",
        "check the times and their unit");
}

CostRules rules_of(const FitOptions& options, double lambda) {
    CostRules rules;
    rules.loss = options.loss;
    rules.huber_delta = options.huber_delta;
    (options.absolute_penalty ? rules.l1 : rules.l2) = lambda;
    return rules;
}

Watch part_of(const Watch& watch, double from, double to) { return {watch.progress.part(from, to), watch.cancel}; }

/// Optimizers that end more than this apart have not found the same valley.
constexpr double agreement = 1e-3;

void optimize(Fit& fit, const Objective& objective, const Watch& watch, const CostListener& listener) {
    const FitOptions& options = fit.options;
    const bool evolved = options.optimizer == FitOptimizer::evolution;
    MultistartOptions starts;
    starts.seed = options.seed;
    fit.solution = multistart(objective, starts, part_of(watch, 0.0, 0.3), evolved ? CostListener{} : listener);
    if (!evolved) return;
    EvolutionOptions evolution = options.evolution;
    evolution.seed = options.seed;
    evolution.threads = options.threads;
    fit.check = std::move(fit.solution);
    fit.solution = evolve(objective, evolution, part_of(watch, 0.3, 0.7), listener);
    const double lower = std::min(fit.check->cost, fit.solution.cost);
    const double apart = std::abs(fit.check->cost - fit.solution.cost);
    if (apart <= agreement * lower + 1e-12) return;
    const bool better = fit.check->cost < fit.solution.cost;
    fit.warnings.push_back(make_warning("The two optimizers disagree: differential evolution ends at a cost of " +
                                            format_number(fit.solution.cost, 4, 12) + ", least squares at " +
                                            format_number(fit.check->cost, 4, 12) +
                                            (better ? ", which is taken." : "."),
                                        "try other seeds, or fewer constants"));
    if (better) std::swap(*fit.check, fit.solution);
}

/// MAPE on the runs with most workers by a fit without them, or 0 if that leaves too little to fit.
double leave_largest_out(const Fit& fit, const Runs& training, const CostRules& rules) {
    const RunColumn* workers = training.find(fit.options.form.workers);
    if (!workers || workers->kind != ColumnKind::numbers) return 0.0;
    const double most = *std::ranges::max_element(workers->numbers);
    std::vector<std::size_t> fewer, largest;
    for (std::size_t row = 0; row < training.size(); ++row)
        (workers->numbers[row] < most ? fewer : largest).push_back(row);
    if (fewer.size() < fit.form->size()) return 0.0;
    const Runs known = rows_of(training, fewer), unknown = rows_of(training, largest);
    const auto from = fit.form->bind(known), to = fit.form->bind(unknown);
    if (!from || !to) return 0.0;
    Workspace space;
    const Objective objective(**from, fit.form->constants(), known.seconds, rules);
    const auto refit = least_squares(objective, fit.theta, space);
    std::vector<double> seconds(unknown.size());
    (*to)->times(refit.theta, space, seconds);
    return metrics_of(seconds, unknown.seconds).mean_error;
}

void warn_about_bounds(Fit& fit) {
    for (const auto& constant : fit.findings.constants)
        if (constant.at_bound && constant.value != 0.0)
            fit.warnings.push_back(make_warning("The best value of " + constant.name + " lies at its bound.",
                                                "widen the bound, or take fewer factors"));
}

/// The mean loss on five folds of the runs, each predicted by a fit to the other four, for λ of 0, 1e-5, 1e-4 and 1e-3
/// times the weights of `rules`. Empty if there are too few runs, or if `watch` ended it.
std::vector<LambdaScore> cross_validate(const Form& form, const Runs& training, const CostRules& rules,
                                        std::uint64_t seed, const Watch& watch) {
    constexpr std::size_t folds = 5;
    if (training.size() < 2 * folds) return {};
    std::vector<LambdaScore> scores = {{0.0, 0.0}, {1e-5, 0.0}, {1e-4, 0.0}, {1e-3, 0.0}};
    const auto order = Draws(seed, {0xf01d}).permutation(training.size());
    Workspace space;
    for (std::size_t fold = 0; fold < folds; ++fold) {
        std::vector<std::size_t> fitted, left;
        for (std::size_t i = 0; i < order.size(); ++i) (i % folds == fold ? left : fitted).push_back(order[i]);
        const Runs known = rows_of(training, fitted), unknown = rows_of(training, left);
        const auto from = form.bind(known), to = form.bind(unknown);
        if (!from || !to) return {};
        for (LambdaScore& score : scores) {
            if (watch.cancel.cancelled()) return {};
            CostRules weighed = rules;
            weighed.l2 *= score.lambda;
            weighed.l1 *= score.lambda;
            MultistartOptions starts;
            starts.seed = seed;
            const auto found =
                multistart(Objective(**from, form.constants(), known.seconds, weighed), starts, {{}, watch.cancel});
            const Objective judge(**to, form.constants(), unknown.seconds, weighed);
            for (const double r : judge.residuals(found.theta, space))
                score.loss += loss_of(weighed, r) / static_cast<double>(training.size());
        }
    }
    return scores;
}

}  // namespace

Result<Fit> fit_runs(const Runs& runs, const FitOptions& options, const Watch& watch, const CostListener& listener) {
    const Runs training = rows_of(runs, runs.training());
    ASSIGN_OR_RETURN(auto made, make_form(options.form, training));
    Fit fit;
    fit.options = options;
    fit.form = std::move(made);
    ASSIGN_OR_RETURN(const auto evaluator, fit.form->bind(training));
    if (training.size() < 2) return fail(make_error("One run is too few to fit anything.", "measure more"));
    fit.warnings = check_design(training, *fit.form);
    fit.lambda = options.lambda.value_or(0.0);
    if (!options.lambda) {
        fit.lambdas = cross_validate(*fit.form, training, rules_of(options, 1.0), options.seed, watch);
        if (watch.cancel.cancelled()) return fail(stopped());
        const auto best = std::ranges::min_element(fit.lambdas, {}, &LambdaScore::loss);
        if (best != fit.lambdas.end()) fit.lambda = best->lambda;
    }
    const CostRules rules = rules_of(options, fit.lambda);
    const Objective objective(*evaluator, fit.form->constants(), training.seconds, rules);
    optimize(fit, objective, watch, listener);
    if (watch.cancel.cancelled()) return fail(stopped());
    if (!std::isfinite(fit.solution.cost)) return fail(no_finite_cost());
    fit.theta = fit.solution.theta;
    const std::size_t refits = leaves_freedom(training, *fit.form) ? options.refits : 0;
    fit.boot =
        bootstrap(*fit.form, *evaluator, training, fit.theta, rules, refits, options.seed, part_of(watch, 0.7, 1.0));
    if (watch.cancel.cancelled()) return fail(stopped());
    fit.extrapolation_error = leave_largest_out(fit, training, rules);
    if (auto done = judge_fit(fit, runs); !done) return fail(done.error());
    warn_about_bounds(fit);
    return fit;
}

Result<void> judge_fit(Fit& fit, const Runs& runs) {
    const Runs training = rows_of(runs, runs.training());
    ASSIGN_OR_RETURN(const auto all, fit.form->bind(runs));
    Workspace space;
    fit.predicted.resize(runs.size());
    all->times(fit.theta, space, fit.predicted);
    fit.metrics = split_metrics(runs, fit.predicted, fit.options.form.workers);
    fit.baselines = baselines_of(runs, fit.form->factors(), fit.options.form.workers);
    fit.noise = repeat_noise(runs, fit.form->factors());
    fit.outside = outside_of_measured(*fit.form, training, runs);
    // A file may have refits of runs that say nothing of how sure they are.
    if (!leaves_freedom(training, *fit.form)) fit.boot.thetas.clear();
    if (!fit.boot.thetas.empty()) {
        ASSIGN_OR_RETURN(fit.bands, prediction_bands(*fit.form, fit.boot, runs, 0.9, fit.options.seed));
        widen_extrapolated(fit.bands, fit.outside, fit.extrapolation_error);
    }
    ASSIGN_OR_RETURN(fit.findings, interpret(*fit.form, fit.theta, fit.boot, training));
    return {};
}

void widen_extrapolated(std::vector<Interval>& bands, const std::vector<std::vector<std::string>>& outside,
                        double extrapolation_error) {
    for (std::size_t row = 0; row < bands.size(); ++row) {
        if (outside[row].empty()) continue;
        bands[row].low /= 1.0 + extrapolation_error;
        bands[row].high *= 1.0 + extrapolation_error;
    }
}

}  // namespace scalescope::measure
