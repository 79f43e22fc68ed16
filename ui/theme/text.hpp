// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>

class QPainter;

/// Lines of text that are the same in every frame of a drag: measured and laid out once. For the GUI thread.
namespace scalescope::ui {

/// What QFontMetricsF::horizontalAdvance says, remembered.
double text_width(const QFont& font, const QString& text);
/// The same words with invisible places to break long ones at, as names of layers are: a label that wraps would else
/// widen its panel, and the window with it.
QString breakable(const QString& text);
/// As QPainter::drawText of a single line that nothing clips.
void draw_line(QPainter& painter, const QRectF& box, int alignment, const QFont& font, const QColor& colour,
               const QString& text);

}  // namespace scalescope::ui
