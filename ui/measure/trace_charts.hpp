// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_data.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/measure/trace_document.hpp"

/// From a recorded step and its predictions to what charts and tables show: renaming, units, sorting.
namespace scalescope::ui {

/// What every stream did in step `step` (index in Digest::steps), from the first thing the GPU did for it.
TimelineData trace_timeline(const RecordedTrace& recorded, std::size_t step);
/// The mean step by kind of operator, stacked by phase; beside it, as a pin, the same on GPU `on` (index in
/// TracePredictions::on; -1: none).
LayerTimeData trace_classes(const RecordedTrace& recorded, const TracePredictions* predictions, int on);
/// Time of the step over the price of every GPU that has one; ids are indices in TracePredictions::on.
XyData trace_prices(const TracePredictions& predictions);
/// A row per GPU: time, speedup, by which rules, price.
ChartTable trace_devices(const TracePredictions& predictions);
/// "operator model 97 %, wave scaling 3 %": of the predicted time.
QString rules_text(const transfer::Prediction& prediction);
/// What was recorded, in a sentence.
QString recording_text(const RecordedTrace& recorded);

}  // namespace scalescope::ui
