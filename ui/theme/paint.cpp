// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/paint.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <QPixmap>
#include <QPixmapCache>
#include <QTransform>
#include <cmath>

#include "ui/theme/text.hpp"
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

void draw_card(QPainter& painter, const QRect& rect, const QColor& fill, const QColor& border, int width) {
    constexpr int r = space::card_radius + 2;
    const qreal scale = painter.device()->devicePixelRatio();
    if (scale != std::floor(scale) || rect.width() < 2 * r || rect.height() < 2 * r)
        return draw_box(painter, QRectF(rect), fill, border, space::card_radius, width);
    // Round corners once, the rest in straight boxes: antialiasing a large outline costs more than a chart.
    const int side = static_cast<int>(2 * r * scale);
    const QString key =
        QStringLiteral("scalescope-card-%1-%2-%3-%4").arg(fill.rgba()).arg(border.rgba()).arg(width).arg(side);
    QPixmap corners;
    if (!QPixmapCache::find(key, &corners)) {
        corners = QPixmap(side, side);
        corners.setDevicePixelRatio(scale);
        corners.fill(Qt::transparent);
        QPainter on_corners(&corners);
        draw_box(on_corners, QRectF(0, 0, 2 * r, 2 * r), fill, border, space::card_radius, width);
        on_corners.end();
        QPixmapCache::insert(key, corners);
    }
    const int x0 = rect.left(), y0 = rect.top(), x1 = x0 + rect.width() - r, y1 = y0 + rect.height() - r;
    const double half = r * scale;
    for (const int right : {0, 1})
        for (const int low : {0, 1})
            painter.drawPixmap(QRectF(right ? x1 : x0, low ? y1 : y0, r, r), corners,
                               QRectF(right * half, low * half, half, half));
    const int across = rect.width() - 2 * r, along = rect.height() - 2 * r;
    painter.fillRect(x0 + r, y0 + width, across, rect.height() - 2 * width, fill);
    painter.fillRect(x0 + width, y0 + r, r - width, along, fill);
    painter.fillRect(x1, y0 + r, r - width, along, fill);
    painter.fillRect(x0 + r, y0, across, width, border);
    painter.fillRect(x0 + r, y1 + r - width, across, width, border);
    painter.fillRect(x0, y0 + r, width, along, border);
    painter.fillRect(x1 + r - width, y0 + r, width, along, border);
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
    const bool fits = text_width(font, text) <= rect.width() + 0.5;
    draw_line(painter, rect, static_cast<int>(alignment), font, color,
              fits ? text : QFontMetricsF(font).elidedText(text, elide, rect.width()));
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

void fill_data(QPainter& painter, const QRectF& box, const QColor& colour, const Theme& theme) {
    painter.fillRect(box, colour);
    constexpr double every = 4.0, least = 5.0;
    if (!theme.high_contrast || box.width() < least || box.height() < least) return;
    const bool both = colour == theme.update;
    if (both || colour == theme.backward)
        for (double y = box.bottom() - every; y > box.top() + 1.0; y -= every)
            painter.fillRect(QRectF(box.left(), y, box.width(), 1.0), theme.card);
    if (both || colour == theme.communication)
        for (double x = box.left() + every - 1.0; x < box.right() - 1.0; x += every)
            painter.fillRect(QRectF(x, box.top(), 1.0, box.height()), theme.card);
}

}  // namespace scalescope::ui
