// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_data.hpp"
#include "ui/live/live.hpp"

/// From an answer to what the charts show: renaming and sorting, no arithmetic.
namespace scalescope::ui {

LayerTimeData layer_chart_data(const LiveResult& result);
StepTimeData step_chart_data(const LiveResult& result);
SpeedupData speedup_chart_data(const LiveResult& result);
TimelineData timeline_chart_data(const LiveResult& result);

/// "Does not fit: needs 1.31 TB of 80 GB"; empty for a design that can run.
QString cannot_run_text(const Scenario& scenario, const Result<Estimate>& estimate);

/// "AlexNet", "data parallel", "32 workers": for exports and the status bar.
QStringList scenario_context(const Scenario& scenario);

/// What an exported chart or table says of its scenario: network, strategy and workers; then hardware, links, batch and
/// precision, as --set takes them.
QStringList export_notes(const Scenario& scenario);

/// Charts and lists number layers across all networks of the workload: part and position as one id.
int layer_key(int part, int position);
int part_of_key(int key);
int position_of_key(int key);

}  // namespace scalescope::ui
