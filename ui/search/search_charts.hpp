// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/heat_chart.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/search/search_document.hpp"

/// From the answer to a search to what charts and tables show: renaming, and units that are easily read.
namespace scalescope::ui {

/// A row for each found combination, in their order: what is varied, the objectives, and the other key figures.
ChartTable found_table(const search::Findings& findings, const formats::Library& library);
/// "Workers 32, batch 128, strategy data".
QString name_of_found(const search::Findings& findings, std::uint64_t index, const formats::Library& library);

/// Two figures of all rows: the front linked, the others as points, the scenario as it is as a ring. Ids are rows.
XyData front_data(const search::Findings& findings, search::Metric x, search::Metric y, const formats::Library& library,
                  const LiveResultPtr& current);

/// The best of every pair of two varied things. Ids are cells of the grid.
HeatData heat_data(const search::Findings& findings, const formats::Library& library);

}  // namespace scalescope::ui
