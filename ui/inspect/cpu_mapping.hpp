// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/cpu_view.hpp"
#include "ui/charts/chart_data.hpp"
#include "ui/charts/heat_chart.hpp"
#include "ui/charts/resource_chart.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/live/live.hpp"

/// What the pages "CPU cluster" and "Staleness" show, from values of core.
namespace scalescope::ui {

/// One sample of one thread, by layers.
LayerTimeData cpu_layers_data(const LiveResult& result);
/// Replicas across, machines of a replica down; a cell's id is its index.
HeatData cpu_grid_data(const Result<CpuGrid>& grid);
/// A step with both kinds of updates.
ResourceData cpu_updates_data(const LiveResult& result);
}  // namespace scalescope::ui
