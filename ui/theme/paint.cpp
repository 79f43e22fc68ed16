// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/paint.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <QPixmap>
#include <QTransform>
#include <cmath>

#include "ui/theme/theme.hpp"

namespace scalescope::ui {

void draw_box(QPainter& painter, const QRectF& rect, const QColor& fill, const QColor& border, qreal radius,
              qreal border_width) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    qreal in = 0;
    if (border.isValid() && border_width > 0) {
        painter.setPen(QPen(border, border_width));
        in = border_width / 2;
    } else {
        painter.setPen(Qt::NoPen);
    }
    painter.drawRoundedRect(rect.adjusted(in, in, -in, -in), std::max<qreal>(0, radius - in),
                            std::max<qreal>(0, radius - in));
    painter.restore();
}

void draw_field(QPainter& painter, const QRectF& rect, const FieldState& state) {
    const Theme& t = theme();
    const QColor ground = !state.enabled ? t.window : state.pressed ? t.pressed : t.control;
    QColor edge = t.control_border;
    if (state.error)
        edge = t.error;
    else if (state.focus)
        edge = t.accent;
    else if (state.hover && state.enabled)
        edge = t.axis;
    draw_box(painter, rect, ground, edge, space::control_radius, state.focus ? 2 : 1);
}

void draw_text(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text, const QFont& font,
               const QColor& color, Qt::TextElideMode elide) {
    painter.setFont(font);
    painter.setPen(color);
    const QFontMetricsF metrics(font);
    const bool fits = metrics.horizontalAdvance(text) <= rect.width() + 0.5;
    painter.drawText(rect, static_cast<int>(alignment) | Qt::TextSingleLine,
                     fits ? text : metrics.elidedText(text, elide, rect.width()));
}

QBrush hatch_brush(const QColor& color, qreal device_pixel_ratio) {
    constexpr double pitch = 6 * M_SQRT2, line = 2;  // 6 px across the lines are 8.5 along the edge
    const int side = static_cast<int>(std::lround(pitch * device_pixel_ratio));
    QPixmap tile(side, side);
    tile.fill(Qt::transparent);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, line * device_pixel_ratio, Qt::SolidLine, Qt::FlatCap));
    for (int shift = -side; shift <= side; shift += side)
        painter.drawLine(QPointF(shift - side, 2.0 * side), QPointF(shift + 2.0 * side, -side));
    painter.end();
    QBrush brush(tile);
    brush.setTransform(QTransform::fromScale(1 / device_pixel_ratio, 1 / device_pixel_ratio));
    return brush;
}

}  // namespace scalescope::ui
