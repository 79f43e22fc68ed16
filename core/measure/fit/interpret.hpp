// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/fit/bootstrap.hpp"

namespace scalescope::measure {

/// What a fit says about each of its constants and factors.
struct ConstantFinding {
    std::string name, unit;
    double value = 0.0;       ///< as people want it: for the factors as they stand in the table; rates, not times
    Interval interval;        ///< 95 %; both 0 without a bootstrap
    bool given = false;       ///< not fitted
    bool at_bound = false;    ///< the best value lies at a bound, so that a wider one might be better
    bool identified = false;  ///< the interval does not cover 0, and the refits' deviation is below their mean
};

struct FactorFinding {
    std::string factor;
    double share = 0.0;                  ///< of the time of the median run that the factor's own terms make
    bool own_terms = false;              ///< false: it only scales the terms of others, and its share is 0
    bool numeric = true;                 ///< elasticity and doubling are of numbers only
    double elasticity = 0.0;             ///< ∂ln t/∂ln x at the median run
    Interval elasticity_interval;        ///< 95 %
    double doubling = 0.0;               ///< change of the time if the factor doubles: −0.4 is 40 % less
    double lowest = 0.0, highest = 0.0;  ///< the range it was measured in
    bool significant = false;            ///< the interval does not cover 0; of words: one of the levels is identified
};

/// A term that belongs to no factor, such as the base that extrinsic factors scale.
struct TermFinding {
    std::string name;    ///< of its constant
    double share = 0.0;  ///< of the time of the median run
};

/// The shares of factors and terms and that of the constant C add up to 1.
struct Findings {
    bool determined = true;  ///< false: too few runs to judge the constants by (`leaves_freedom`)
    std::vector<ConstantFinding> constants;
    std::vector<FactorFinding> factors;
    std::vector<TermFinding> terms;
    std::vector<TradeOff> trade_offs;
    double offset_share = 0.0;  ///< of the constant C in the time of the median run
};

/// The median run: every number at its median, every word the one most runs have. Of the runs of the fit.
Runs median_run(const Runs& training);

/// `boot` may be empty: then there are no intervals, and nothing is said to be identified or significant.
Result<Findings> interpret(const Form& form, const std::vector<double>& theta, const Bootstrap& boot,
                           const Runs& training);

/// A fit over counts of workers, everything else as in `run` (one run).
struct SpeedupPoint {
    double workers = 1.0;
    Seconds time{};
    double speedup = 1.0, efficiency = 1.0;
    Interval speedup_interval;  ///< 90 %; both 0 without a bootstrap
    Interval time_interval;     ///< in seconds; the same
    bool extrapolated = false;  ///< more or fewer workers than any run of the fit
};
struct SpeedupCurve {
    std::vector<SpeedupPoint> points;
    bool of_throughput = false;  ///< each worker's batch stays, so that a step does more: speedup is w·t(1)/t(w)
    double floor = 0.0;          ///< C/t(1): no speedup is above 1/floor, if a step does not grow
};
Result<SpeedupCurve> speedup_curve(const Form& form, const std::vector<double>& theta, const Bootstrap& boot,
                                   const Runs& training, const Runs& run, const std::vector<double>& workers,
                                   const std::string& column = "workers");

/// Runs that differ from run `row` in `column` alone, among the factors of the form; `row` itself among them.
std::vector<std::size_t> runs_over(const Form& form, const Runs& runs, std::size_t row,
                                   const std::string& column = "workers");
/// The run whose like was measured at most counts of `column`, the first of them.
std::size_t most_varied_run(const Form& form, const Runs& runs, const std::string& column = "workers");

/// Factors of the run that lie outside of what was measured, for every run of `runs`.
std::vector<std::vector<std::string>> outside_of_measured(const Form& form, const Runs& training, const Runs& runs);

}  // namespace scalescope::measure
