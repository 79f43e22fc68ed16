// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/calibration/calibrate.hpp"
#include "core/measure/calibration/operator_calibration.hpp"
#include "ui/charts/chart_table.hpp"
#include "ui/charts/xy_chart.hpp"

/// From a calibration to what the page shows: renaming and sorting, no arithmetic.
namespace scalescope::ui {

/// Measured against predicted, as the design was and with the constants fitted.
XyData calibration_data(const calibration::Observations& observations, const calibration::CalibrationFit& fit);
ChartTable calibration_constants(const calibration::CalibrationFit& fit);
ChartTable calibration_times(const calibration::Observations& observations, const calibration::CalibrationFit& fit);
/// How far the models of operators are off, by kind and device.
ChartTable operator_errors(const calibration::OperatorFit& fit);
/// What was left out or may be wrong, and why nothing came of it.
ChartTable calibration_notes(const Problems& problems);

}  // namespace scalescope::ui
