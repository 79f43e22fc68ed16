// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>

class QPainter;

namespace scalescope::ui {

struct Theme;

/// A rounded box with a crisp border inside `rect`; an invalid colour leaves that part out.
void draw_box(QPainter& painter, const QRectF& rect, const QColor& fill, const QColor& border, qreal radius,
              qreal border_width = 1);

/// The ground of a card: draw_box with the radius of cards, made to be painted in every frame.
void draw_card(QPainter& painter, const QRect& rect, const QColor& fill, const QColor& border, int width = 1);

/// What a field (line edit, number, choice) looks like at the moment.
struct FieldState {
    bool enabled = true, hover = false, focus = false, error = false, pressed = false;
};

/// Ground and border of a field: 1 px, 2 px accent with the focus, red in error.
void draw_field(QPainter& painter, const QRectF& rect, const FieldState& state);

/// One line of text, elided at the right (or in the middle) where it doesn't fit.
void draw_text(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text, const QFont& font,
               const QColor& color, Qt::TextElideMode elide = Qt::ElideRight);

/// The brush of hidden communication: lines of 2 px at 45 degrees every 6 px, sharp at the given device pixel ratio.
/// Set the painter's brush origin to the corner of what is filled, so that the pattern moves with it.
QBrush hatch_brush(const QColor& color, qreal device_pixel_ratio);

/// A box in a data colour. In high contrast the parts of a stack have lines of their own too: across for the backward
/// pass, upright for communication, both for the update.
void fill_data(QPainter& painter, const QRectF& box, const QColor& colour, const Theme& theme);

}  // namespace scalescope::ui
