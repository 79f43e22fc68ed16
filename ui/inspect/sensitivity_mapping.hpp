// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/sensitivity.hpp"
#include "core/search/walls.hpp"
#include "ui/charts/guide_lines.hpp"
#include "ui/charts/tornado_chart.hpp"

/// From an analysis to what the charts show: words and order, no arithmetic.
namespace scalescope::ui {

TornadoData tornado_data(const Result<search::Sensitivity>& found);
/// The walls that a chart over worker counts marks; those at one count share a line.
std::vector<GuideLine> guide_lines(const search::Walls& walls);

}  // namespace scalescope::ui
