// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/charts/chart_table.hpp"
#include "ui/charts/title_row.hpp"

class QPainter;
class QRectF;

/// How every chart marks what cannot run because its step does not fit into memory.
namespace scalescope::ui {

/// Key of the legend entry that hides the marked parts.
inline const QString misfit_key = QStringLiteral("misfit");
LegendEntry misfit_entry(const Theme& theme);

/// Of the entry where points are marked instead of areas: the cross of draw_misfit_point().
LegendEntry misfit_point_entry(const Theme& theme);

/// The sentence of a tooltip, and the column of a table: "fits", yes or no.
QString misfit_note();
ChartColumn fits_column();
ChartCell fits_cell(bool fits);

/// Where draw_misfit() puts its tag in `area`.
QRectF misfit_tag(const QRectF& area, const QString& why);
/// A whole chart that shows one design: what is in `area` turns pale under a hatch, and a tag says why.
void draw_misfit(QPainter& painter, const QRectF& area, const QString& why, const Theme& theme);
/// One bar among others.
void draw_misfit_bar(QPainter& painter, const QRectF& bar, const Theme& theme);
/// One point of a curve.
void draw_misfit_point(QPainter& painter, QPointF at, const Theme& theme);
/// A line between such points.
QPen misfit_pen(const QPen& pen);

}  // namespace scalescope::ui
