// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPen>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <vector>

#include "ui/charts/chart_data.hpp"
#include "ui/theme/paint.hpp"

class QPainter;

namespace scalescope::ui {

struct Theme;

/// Device pixels per logical pixel of what `painter` draws on; for SVG and PDF, which have none, a fine enough grid.
double paint_scale(const QPainter& painter);
bool paints_vectors(const QPainter& painter);
/// The nearest whole device pixel.
double snapped(double logical, double scale);

QColor part_colour(const Theme& theme, Part part);
/// Curve `index` in its colour, and with its marker. From the fifth on markers come again with another dash. That of
/// the best meshes (best_look) has the colour of text.
QColor curve_colour(const Theme& theme, int index);
Marker curve_marker(int index);
QPen curve_pen(const Theme& theme, int index, double width);
/// Of a line that has no markers: each index has its own dash, 0 none.
QPen line_pen(const Theme& theme, int index, double width, bool dashed = false);
/// Pinned scenarios A to D: pens of one colour that differ by their dashes, and the keys of their series.
QPen pin_pen(const Theme& theme, int index, double width);
inline QString pin_key(std::size_t index) { return QStringLiteral("pin%1").arg(index); }
QPen dashed_pen(const QColor& colour, double width, const std::vector<double>& dashes_in_px);
/// The one of two text colours of the theme that is easier to read on `fill`.
QColor text_on(const QColor& fill);

void draw_marker(QPainter& painter, QPointF centre, Marker marker, const QColor& colour);
/// With an outline: one in the ground's colour keeps neighbours apart, a fill in the ground's colour makes it hollow.
void draw_marker(QPainter& painter, QPointF centre, Marker marker, const QColor& fill, const QPen& outline);
/// A small × : what cannot run.
void draw_cross(QPainter& painter, QPointF centre, const QColor& colour);
/// Draws lines of 45° across a box. SVG and PDF have no pattern brushes.
void draw_slanted_lines(QPainter& painter, const QRectF& box, const QPen& pen, double distance);
/// A box with 45° lines, 2 px every 6 px, and a 1 px outline: time that runs behind something else.
void draw_hatched(QPainter& painter, const QRectF& box, const QColor& colour);
/// An empty box with an outline: time in which nothing runs.
void draw_hollow(QPainter& painter, const QRectF& box, const QColor& outline, const QColor& inside);
/// The outline of a box without its lower side, 1 px, inside the box, in dashes that run on round the corners.
void draw_dashed_bracket(QPainter& painter, const QRectF& box, const QColor& colour, const std::vector<double>& dashes);
/// A line through `points` that breaks at points that are not finite and never leaves `clip`. Points
/// that lie on the way to the next within a fifth of a pixel are passed over.
void draw_polyline(QPainter& painter, const std::vector<QPointF>& points, const QRectF& clip, const QPen& pen);
/// One line of text in a box; `alignment` as QPainter::drawText. Nothing is clipped.
void draw_label(QPainter& painter, const QRectF& box, int alignment, const QFont& font, const QColor& colour,
                const QString& text);

}  // namespace scalescope::ui
