// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/watch.hpp"
#include "core/measure/fit/cost.hpp"

namespace scalescope::measure {

/// How sure a fit is, by fitting it again to what could have been measured: predictions times residuals drawn anew, in
/// logarithms (residual bootstrap; Efron, Ann. Statist. 7, 1979).
struct Bootstrap {
    std::vector<std::vector<double>> thetas;  ///< constants of every refit
    std::vector<double> log_residuals;        ///< ln t − ln t̂ of the runs of the fit
    double residual_deviation = 0.0;          ///< their standard deviation
};

struct Interval {
    double low = 0.0, high = 0.0;
};

/// `refits` fits by least squares from `theta`. Fewer of them if somebody ended it.
Bootstrap bootstrap(const Form& form, const Evaluator& evaluator, const Runs& training,
                    const std::vector<double>& theta, const CostRules& rules, std::size_t refits, std::uint64_t seed,
                    const Watch& watch = {});

/// Standard deviation of a population; 0 of nothing.
double deviation_of(std::span<const double> values);

/// The value below which `share` of `values` lie, interpolated; what is no number does not count.
double quantile(std::vector<double> values, double share);

/// Where a measured time of every run of `runs` is to be expected with a probability of `level`: quantiles of the
/// refits' predictions times residuals drawn anew.
Result<std::vector<Interval>> prediction_bands(const Form& form, const Bootstrap& boot, const Runs& runs, double level,
                                               std::uint64_t seed);

/// Where every constant lies with a probability of `level`, without normalization (Form::raw).
std::vector<Interval> constant_intervals(const Form& form, const Bootstrap& boot, double level);

/// Names of pairs of constants that refits change together (|correlation| above `least`): only both of them mean
/// something, not either alone.
struct TradeOff {
    std::size_t one = 0, other = 0;
    double correlation = 0.0;
};
std::vector<TradeOff> trade_offs(const Bootstrap& boot, double least = 0.95);

}  // namespace scalescope::measure
