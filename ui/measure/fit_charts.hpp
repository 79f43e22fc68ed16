// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_data.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/measure/runs_document.hpp"

/// From a fit to what charts and tables show: renaming, units and sorting.
namespace scalescope::ui {

enum class OverWorkers { time, speedup, efficiency };

/// Every run's predicted time over its measured one; ids are rows of the sheet.
XyData predicted_data(const FittedRuns& fitted);
/// The fit over counts of workers for a run like `run` (index among the runs), with its band and the runs like it.
XyData over_workers_data(const FittedRuns& fitted, std::size_t run, OverWorkers what);
/// The best cost after each generation or start.
XyData cost_data(const std::vector<double>& costs, bool evolution);

/// Whether the form has workers to vary at all.
bool has_workers(const FittedRuns& fitted);
/// What such a run is: "AlexNet, Tesla K80, batch_size 512".
QString name_of_run(const FittedRuns& fitted, std::size_t run);
/// The same curve for the speedup chart beside the analytical ones.
FittedCurve fitted_curve(const FittedRuns& fitted, std::size_t run);

ChartTable constants_table(const FittedRuns& fitted);
ChartTable factors_table(const FittedRuns& fitted);
/// Errors of the fit and of simpler ways to predict, on every part of the runs.
ChartTable errors_table(const FittedRuns& fitted);

/// "1.2 ms", with an interval: for one run in the table.
QString seconds_text(double seconds);

}  // namespace scalescope::ui
