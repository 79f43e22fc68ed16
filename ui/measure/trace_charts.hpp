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
/// Time of the step over the price of those GPUs in `chosen` (indices in TracePredictions::on) that have one; ids are
/// these indices.
XyData trace_prices(const TracePredictions& predictions, const std::vector<int>& chosen);
/// A row per GPU in `chosen`, in that order: time, speedup, by which rules, price.
ChartTable trace_devices(const TracePredictions& predictions, const std::vector<int>& chosen);
/// A row for every operation on GPU `on`, with the rule and its evidence: what `predict --show operations` writes.
ChartTable trace_operations(const TracePredictions& predictions, int on);
/// "NCCL 9.1 ms a step, 2.0 ms exposed; kept as measured elsewhere"; empty without communication.
QString communication_text(const RecordedTrace& recorded);
/// What was recorded, in a sentence.
QString recording_text(const RecordedTrace& recorded);

}  // namespace scalescope::ui
