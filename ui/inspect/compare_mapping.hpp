// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/attribution.hpp"
#include "core/compare/side_by_side.hpp"
#include "ui/charts/chart_data.hpp"
#include "ui/widgets/design_table.hpp"

/// From a comparison to what its table and chart show: words and order, no arithmetic.
namespace scalescope::ui {

std::vector<DesignRow> figure_rows(const std::vector<compare::FigureRow>& rows);
std::vector<DesignRow> difference_rows(const std::vector<Difference>& differences);
/// How the difference is shared out; the names are those of the designs in a sentence ("A", "this design").
WaterfallData waterfall_data(const compare::Attribution& shares, const QString& from, const QString& to);
/// A better, worse, … of core as a mark of the window.
Change mark_of(compare::Verdict verdict);

}  // namespace scalescope::ui
