// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/best_mesh.hpp"
#include "ui/charts/chart_data.hpp"
#include "ui/charts/stack_chart.hpp"
#include "ui/live/layer_keys.hpp"
#include "ui/live/shown_rows.hpp"

/// From an answer to what the charts show: renaming and sorting, no arithmetic.
namespace scalescope::ui {

/// A bar for each row that is not told in its parts.
std::vector<LayerTime> row_bars(const LiveResult& result, const std::vector<ShownRow>& rows);
LayerTimeData layer_chart_data(const LiveResult& result, std::vector<LayerTime> bars);
/// With the rows that are shown at first.
inline LayerTimeData layer_chart_data(const LiveResult& result) {
    return layer_chart_data(result, row_bars(result, shown_rows(result, {})));
}
StepTimeData step_chart_data(const LiveResult& result);
/// `best`: throughput of the best meshes, drawn as one more way if rates are shown; empty: not computed yet.
SpeedupData speedup_chart_data(const LiveResult& result, const std::vector<CurvePoint>* best = nullptr);
/// The ways to divide the work at this count of workers, those of the curves; `best`, if there is one, is the first
/// row.
StackData ways_chart_data(const LiveResult& result, const search::BestMesh* best);
/// Id of that row.
inline constexpr int best_way = 1000;
/// What the memory of each stage holds, or of each worker.
StackData memory_chart_data(const LiveResult& result);
TimelineData timeline_chart_data(const LiveResult& result);

/// "AlexNet", "data parallel", "32 workers": for exports and the status bar.
QStringList scenario_context(const Scenario& scenario);

/// What an exported chart or table says of its scenario: network, strategy and workers; then hardware, links, batch and
/// precision, as --set takes them.
QStringList export_notes(const Scenario& scenario);

}  // namespace scalescope::ui
