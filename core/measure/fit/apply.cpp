// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/suggest.hpp"
#include "core/measure/fit/fitted_runs.hpp"

namespace scalescope::measure {

namespace {

/// What is missing for every run alike.
Problems missing_columns(const FittedRuns& fitted, const Runs& runs) {
    Problems problems;
    const auto& levels = fitted.fit.options.form.levels;
    const auto is_level = [&](const std::string& name) { return std::ranges::find(levels, name) != levels.end(); };
    std::vector<std::string> names;
    for (const RunColumn& column : runs.columns) names.push_back(column.name);
    for (const std::string& factor : fitted.fit.form->factors()) {
        const RunColumn *known = fitted.runs.find(factor), *asked = runs.find(factor);
        if (!asked) {
            const auto near = closest(factor, names);
            problems.push_back(
                make_error("The fit needs a column \"" + factor + "\", which the table does not have.",
                           near ? "map \"" + *near + "\" to it, or rename that" : "add it, or fit without it"));
        } else if (!is_level(factor) && known && known->kind == ColumnKind::numbers &&
                   asked->kind == ColumnKind::words) {
            problems.push_back(
                make_error("\"" + factor + "\" was a column of numbers when the fit was made, and holds words here.",
                           "write numbers, or leave the other rows out by a filter"));
        }
    }
    return problems;
}

/// Bands of a few runs, wider where a factor lies beyond what was fitted.
Result<std::vector<Interval>> bands_of(const Fit& fit, const Runs& runs,
                                       const std::vector<std::vector<std::string>>& outside) {
    auto bands = prediction_bands(*fit.form, fit.boot, runs, 0.9, fit.options.seed);
    if (!bands) return bands;
    widen_extrapolated(*bands, outside, fit.extrapolation_error);
    return bands;
}

}  // namespace

Result<AppliedFit> apply_fit(const FittedRuns& fitted, const Runs& runs) {
    const Fit& fit = fitted.fit;
    if (auto missing = missing_columns(fitted, runs); !missing.empty()) return fail(std::move(missing));
    AppliedFit applied;
    applied.predicted.resize(runs.size());
    applied.why_not.resize(runs.size());
    applied.outside = outside_of_measured(*fit.form, rows_of(fitted.runs, fitted.runs.training()), runs);
    if (!fit.boot.thetas.empty()) applied.bands.resize(runs.size());

    std::vector<std::size_t> usable(runs.size());
    for (std::size_t row = 0; row < runs.size(); ++row) usable[row] = row;
    if (!fit.form->bind(runs)) {  // which of them?
        usable.clear();
        for (std::size_t row = 0; row < runs.size(); ++row) {
            const auto one = fit.form->bind(rows_of(runs, {row}));
            if (one)
                usable.push_back(row);
            else
                applied.why_not[row] = one.error().front().what;
        }
    }
    const Runs known = rows_of(runs, usable);
    if (!usable.empty()) {
        ASSIGN_OR_RETURN(const auto evaluator, fit.form->bind(known));
        Workspace space;
        std::vector<double> seconds(known.size());
        evaluator->times(fit.theta, space, seconds);
        for (std::size_t i = 0; i < usable.size(); ++i) applied.predicted[usable[i]] = seconds[i];
    }
    if (!applied.bands.empty() && !usable.empty()) {
        std::vector<std::vector<std::string>> outside;
        for (const std::size_t row : usable) outside.push_back(applied.outside[row]);
        ASSIGN_OR_RETURN(const auto bands, bands_of(fit, known, outside));
        for (std::size_t i = 0; i < usable.size(); ++i) applied.bands[usable[i]] = bands[i];
    }
    std::vector<double> said[2], measured[2];
    for (const std::size_t row : usable) {
        const std::size_t part = applied.outside[row].empty() ? 0 : 1;
        said[part].push_back(*applied.predicted[row]);
        measured[part].push_back(runs.seconds[row]);
    }
    applied.inside = metrics_of(said[0], measured[0]);
    applied.extrapolated = metrics_of(said[1], measured[1]);
    return applied;
}

}  // namespace scalescope::measure
