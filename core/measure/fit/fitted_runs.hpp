// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/measure/fit/fit.hpp"
#include "core/measure/runs/import.hpp"

namespace scalescope::measure {

/// How a table of runs is read and fitted.
struct FitSetup {
    ColumnMap map;
    HoldOut hold;
    FitOptions options;
};

/// A fit with the runs it was made of: all that its charts and tables show, without the table it came from.
struct FittedRuns {
    Fit fit;
    Runs runs;
    std::vector<std::size_t> rows;  ///< of the table, for every run
    std::string data_hash;          ///< of the table's text
    ColumnMap map;
    HoldOut hold;
};

/// A saved fit's word on other runs. Vectors are as long as there are runs.
struct AppliedFit {
    std::vector<std::optional<double>> predicted;   ///< seconds; nothing where the fit knows no time
    std::vector<std::string> why_not;               ///< then
    std::vector<Interval> bands;                    ///< 90 %; empty without a bootstrap
    std::vector<std::vector<std::string>> outside;  ///< factors that lie beyond what was fitted
    FitMetrics inside;                              ///< of the runs within what was fitted
    FitMetrics extrapolated;                        ///< of the others
};

/// Predicts `runs` by a fit of other runs, or of the same, without fitting anything. A run with a level that no run of
/// the fit had, or with a factor that is not above 0, has no time, and says why. Problems: a factor that is no column,
/// or that was numbers and now is words.
Result<AppliedFit> apply_fit(const FittedRuns& fitted, const Runs& runs);

}  // namespace scalescope::measure
