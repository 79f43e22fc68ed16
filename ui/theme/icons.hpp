// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

class QPainter;

namespace scalescope::ui {

/// What an icon is tinted with. `by_name`: info, warn and error in their own colours, all others in the text's.
enum class Tint { by_name, text, secondary, accent, on_accent, error, warning, better };

/// The icon resources/icons/NAME.svg, drawn sharply at any size and device pixel ratio, in the colours of the theme at
/// the moment it is painted: a button keeps its QIcon when the theme changes. Switched-off buttons get the disabled
/// tint. An unknown name gives a null icon.
QIcon icon(const char* name, Tint tint = Tint::by_name);

/// The program's own, for windows and task bars: in its own colours, at every size these ask for.
QIcon program_icon();

/// Draws an icon in a given colour into a square of the painter's logical coordinates, for widgets that paint
/// themselves.
void draw_icon(QPainter& painter, const char* name, const QRectF& box, const QColor& color);
/// The same from a picture that is kept, for what is drawn a thousand times in a frame.
void draw_icon(QPainter& painter, const QString& name, const QRectF& box, const QColor& color);

}  // namespace scalescope::ui
