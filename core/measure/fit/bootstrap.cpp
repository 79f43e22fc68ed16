// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/bootstrap.hpp"

#include <algorithm>
#include <cmath>

#include "core/measure/fit/optimizers.hpp"
#include "core/measure/fit/random.hpp"

namespace scalescope::measure {

namespace {

enum BootstrapStream : std::uint64_t { refit_stream = 0xb007, band_stream = 0xba2d };

/// Times can be predicted at or below zero only by constants far from any fit; a logarithm must not fail on them.
double log_of(double t) { return std::log(std::max(t, 1e-300)); }

}  // namespace

Bootstrap bootstrap(const Form& form, const Evaluator& evaluator, const Runs& training,
                    const std::vector<double>& theta, const CostRules& rules, std::size_t refits, std::uint64_t seed,
                    const Watch& watch) {
    constexpr int steps = 60;
    Bootstrap boot;
    Workspace space;
    const std::size_t n = training.size();
    std::vector<double> predicted(n), seconds(n);
    evaluator.times(theta, space, predicted);
    for (std::size_t k = 0; k < n; ++k)
        boot.log_residuals.push_back(log_of(training.seconds[k]) - log_of(predicted[k]));
    boot.residual_deviation = deviation_of(boot.log_residuals);
    for (std::size_t b = 0; b < refits && !watch.cancel.cancelled(); ++b) {
        Draws draws(seed, {refit_stream, b});
        for (std::size_t k = 0; k < n; ++k) seconds[k] = predicted[k] * std::exp(boot.log_residuals[draws.below(n)]);
        const Objective objective(evaluator, form.constants(), seconds, rules);
        boot.thetas.push_back(least_squares(objective, theta, space, steps).theta);
        watch.progress(static_cast<double>(b + 1) / static_cast<double>(refits), "bootstrap");
    }
    return boot;
}

double deviation_of(std::span<const double> values) {
    if (values.empty()) return 0.0;
    const auto n = static_cast<double>(values.size());
    double mean = 0.0, sum = 0.0;
    for (const double value : values) mean += value / n;
    for (const double value : values) sum += (value - mean) * (value - mean);
    return std::sqrt(sum / n);
}

double quantile(std::vector<double> values, double share) {
    std::erase_if(values, [](double value) { return std::isnan(value); });
    if (values.empty()) return 0.0;
    std::ranges::sort(values);
    const double at = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    if (below + 1 >= values.size()) return values.back();
    return values[below] + (at - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

Result<std::vector<Interval>> prediction_bands(const Form& form, const Bootstrap& boot, const Runs& runs, double level,
                                               std::uint64_t seed) {
    constexpr std::size_t residuals_each = 5;
    ASSIGN_OR_RETURN(const auto evaluator, form.bind(runs));
    Workspace space;
    std::vector<double> seconds(runs.size());
    std::vector<std::vector<double>> samples(runs.size());
    for (std::size_t b = 0; b < boot.thetas.size(); ++b) {
        evaluator->times(boot.thetas[b], space, seconds);
        for (std::size_t row = 0; row < runs.size(); ++row) {
            Draws draws(seed, {band_stream, b, row});
            for (std::size_t i = 0; i < residuals_each; ++i)
                samples[row].push_back(seconds[row] *
                                       std::exp(boot.log_residuals[draws.below(boot.log_residuals.size())]));
        }
    }
    std::vector<Interval> bands;
    for (auto& values : samples)
        bands.push_back({quantile(values, 0.5 - 0.5 * level), quantile(values, 0.5 + 0.5 * level)});
    return bands;
}

std::vector<Interval> constant_intervals(const Form& form, const Bootstrap& boot, double level) {
    std::vector<std::vector<double>> samples(form.size());
    for (const auto& theta : boot.thetas) {
        const auto raw = form.raw(theta);
        for (std::size_t d = 0; d < raw.size(); ++d) samples[d].push_back(raw[d]);
    }
    std::vector<Interval> intervals;
    for (auto& values : samples)
        intervals.push_back({quantile(values, 0.5 - 0.5 * level), quantile(values, 0.5 + 0.5 * level)});
    return intervals;
}

std::vector<TradeOff> trade_offs(const Bootstrap& boot, double least) {
    std::vector<TradeOff> found;
    if (boot.thetas.size() < 10) return found;
    const std::size_t size = boot.thetas.front().size();
    const auto n = static_cast<double>(boot.thetas.size());
    std::vector<double> mean(size), deviation(size);
    for (const auto& theta : boot.thetas)
        for (std::size_t d = 0; d < size; ++d) mean[d] += theta[d] / n;
    for (const auto& theta : boot.thetas)
        for (std::size_t d = 0; d < size; ++d) deviation[d] += (theta[d] - mean[d]) * (theta[d] - mean[d]) / n;
    for (std::size_t one = 0; one < size; ++one)
        for (std::size_t other = one + 1; other < size; ++other) {
            double both = 0.0;
            for (const auto& theta : boot.thetas) both += (theta[one] - mean[one]) * (theta[other] - mean[other]) / n;
            const double scale = std::sqrt(deviation[one] * deviation[other]);
            if (scale > 0.0 && std::abs(both / scale) > least) found.push_back({one, other, both / scale});
        }
    return found;
}

}  // namespace scalescope::measure
