// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/validate/validate.hpp"
#include "ui/charts/xy_chart.hpp"

/// From predicted rows of published results to what charts and tables show: renaming and sorting.
namespace scalescope::ui {

/// The units of the rows that were predicted, the most frequent first.
QStringList units_of(const measure::Validation& validation);
/// Predicted over measured, of the rows in one unit; ids are places in Validation::rows.
XyData validation_data(const measure::Validation& validation, const QString& unit);
/// A row for each result, in their order.
ChartTable validation_rows(const measure::Validation& validation);
ChartTable validation_groups(const measure::Validation& validation);
/// Why rows could not be predicted, and how many.
ChartTable validation_reasons(const measure::Validation& validation);
/// "calibrated on 1 row", "data sheet", "recalled".
QString evidence_text(const measure::ValidatedRow& row);
/// "ResNet-50, Tesla K80, 8 workers, batch 64".
QString name_of_row(const measure::ValidatedRow& row);

}  // namespace scalescope::ui
