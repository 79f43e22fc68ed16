// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot.hpp"
//
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/marks.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr PxF ring_radius{5.0}, tag_height{17.0}, label_line{18.0};

/// As much of it as there is room for, in whole clauses: "workers (log) · 1× = one worker, 128 samples per worker".
QString caption_in(double room, const QString& caption, const QFont& font) {
    QString shown = caption;
    for (const QString& mark : {QStringLiteral(", "), QStringLiteral(" · ")})
        for (qsizetype at = -1; text_width(font, shown) > room && (at = shown.lastIndexOf(mark)) >= 0;)
            shown.truncate(at);
    return text_width(font, shown) <= room ? shown : QFontMetricsF(font).elidedText(shown, Qt::ElideRight, room);
}

}  // namespace

QRectF SpeedupChart::clip() const { return QRectF(plot_rect()).adjusted(-0.5, -1.5, 0.5, 1.5); }

std::vector<QPointF> SpeedupChart::pixels(const SpeedupCurve& curve) const {
    std::vector<QPointF> points;
    points.reserve(curve.points.size());
    // AxisMap with what does not change taken out of the loop.
    const double kx = (x_map_.to_px - x_map_.from_px) / std::log(x_map_.range.upper / x_map_.range.lower);
    const double ky = (y_map_.to_px - y_map_.from_px) / std::log(y_map_.range.upper / y_map_.range.lower);
    for (const SpeedupPoint& p : curve.points)
        points.emplace_back(
            x_map_.from_px + kx * std::log(p.workers / x_map_.range.lower),
            p.speedup > 0.0 ? y_map_.from_px + ky * std::log(p.speedup / y_map_.range.lower) : std::nan(""));
    return points;
}

void SpeedupChart::paint_curves(QPainter& painter) {
    if (!empty_text().isEmpty()) return;
    const Theme& t = look();
    paint_band(painter);
    if (show_guides_) guides_.paint_lines(painter, t);
    const double left = data_.rate ? data_.rate->fits_from : 1.0;
    if (!series_hidden(QStringLiteral("ideal")))
        draw_polyline(painter,
                      {{x_map_.px(left), y_map_.px(ideal(left))},
                       {x_map_.px(data_.max_workers), y_map_.px(ideal(data_.max_workers))}},
                      clip(), dashed_pen(t.ideal, 1.25, {1.25, 2.5}));
    for (int i = 0; i < static_cast<int>(data_.pins.size()); ++i)
        if (!series_hidden(pin_key(at(i)))) draw_curve(painter, data_.pins[at(i)], pin_pen(t, i, 1.5));
    paint_fitted(painter);
    const auto draw = [&](int i) {
        if (series_hidden(curve_key(i))) return;
        draw_curve(painter, data_.curves[at(i)], curve_pen(t, data_.curves[at(i)].look, i == data_.shown ? 2.5 : 1.5));
        paint_markers(painter, i);
    };
    for (int i = 0; i < static_cast<int>(data_.curves.size()); ++i)
        if (i != data_.shown) draw(i);
    if (data_.shown >= 0 && at(data_.shown) < data_.curves.size()) draw(data_.shown);
}

/// Counts at which no way fits into memory.
void SpeedupChart::paint_band(QPainter& painter) {
    if (!data_.rate || data_.rate->fits_from <= data_.rate->first) return;
    const QRectF rect(plot_rect());
    const double right = std::min(x_map_.px(data_.rate->fits_from), rect.right());
    if (right <= rect.left()) return;
    const QRectF band(rect.left(), rect.top(), right - rect.left(), rect.height());
    painter.fillRect(band, look().grid);
    painter.save();
    painter.setFont(type::caption());
    painter.setPen(look().secondary);
    painter.drawText(band.adjusted(4, 4, -4, -4), Qt::TextWordWrap | Qt::AlignHCenter | Qt::AlignTop,
                     data_.rate->nothing_fits);
    painter.restore();
}

/// A line between two counts of which one does not fit is one of those that cannot run.
void SpeedupChart::draw_curve(QPainter& painter, const SpeedupCurve& curve, const QPen& pen) const {
    std::vector<QPointF> runs = pixels(curve);
    const auto fits = [&](std::size_t i) { return curve.points[i].fits; };
    if (std::all_of(curve.points.begin(), curve.points.end(), [](const SpeedupPoint& p) { return p.fits; })) {
        draw_polyline(painter, runs, clip(), pen);
        return;
    }
    const QPointF gap(std::nan(""), std::nan(""));
    std::vector<QPointF> cannot(runs.size(), gap);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool beside = (i > 0 && !fits(i - 1)) || (i + 1 < runs.size() && !fits(i + 1));
        if (!fits(i) || beside) cannot[i] = runs[i];
        if (!fits(i)) runs[i] = gap;
    }
    if (shows_misfits()) draw_polyline(painter, cannot, clip(), misfit_pen(pen));
    draw_polyline(painter, runs, clip(), pen);
}

/// The fit to measured runs: its line, dashed where nothing was measured, on its band, and the runs as rings.
void SpeedupChart::paint_fitted(QPainter& painter) {
    if (!data_.fitted || series_hidden(QStringLiteral("fitted"))) return;
    const QRectF area = clip();
    const QColor ink = look().accent;
    std::vector<QPointF> inside, beyond;
    QPolygonF band, upper;
    for (const FittedPoint& p : data_.fitted->points) {
        if (!(p.speedup > 0.0) || p.workers > data_.max_workers) continue;
        const QPointF where(x_map_.px(p.workers), y_map_.px(p.speedup));
        if (p.extrapolated && !inside.empty() && beyond.empty()) beyond.push_back(inside.back());
        (p.extrapolated ? beyond : inside).push_back(where);
        if (!(p.low > 0.0 && p.high > 0.0)) continue;
        const auto height = [&](double v) { return std::clamp(y_map_.px(v), area.top(), area.bottom()); };
        const double x = std::clamp(where.x(), area.left(), area.right());
        band << QPointF(x, height(p.low));
        upper << QPointF(x, height(p.high));
    }
    for (auto p = upper.crbegin(); p != upper.crend(); ++p) band << *p;
    painter.setRenderHint(QPainter::Antialiasing);
    QColor fill = ink;
    fill.setAlphaF(0.14F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    if (band.size() > 3) painter.drawPolygon(band);
    draw_polyline(painter, inside, area, QPen(ink, 1.5));
    draw_polyline(painter, beyond, area, dashed_pen(ink, 1.5, {4.0, 3.0}));
    painter.setBrush(look().card);
    painter.setPen(QPen(ink, 1.5));
    for (const FittedPoint& p : data_.fitted->measured) {
        const QPointF where(x_map_.px(p.workers), y_map_.px(p.speedup));
        if (p.workers <= data_.max_workers && area.contains(where)) painter.drawEllipse(where, 3.0, 3.0);
    }
}

void SpeedupChart::paint_markers(QPainter& painter, int curve) {
    // At powers of four; in a short range, where that would leave one or two, at powers of two.
    const int stride = x_map_.range.upper / x_map_.range.lower > 40.0 ? 2 : 1;
    const QRectF area = clip().adjusted(-1, -1, 1, 1);
    const std::vector<SpeedupPoint>& points = data_.curves[at(curve)].points;
    bool between_neighbours = false;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const SpeedupPoint& p = points[i];
        if (!(p.speedup > 0.0)) continue;
        const double power = std::log2(static_cast<double>(p.workers));
        const bool marked = power == std::floor(power) && static_cast<int>(power) % stride == 0 && p.workers > 1;
        // A point alone between two gaps has no line: it needs its marker to be seen.
        const bool left = i > 0 && points[i - 1].speedup > 0.0;
        const bool right = i + 1 < points.size() && points[i + 1].speedup > 0.0;
        between_neighbours = left || right;
        if (!marked && between_neighbours) continue;
        const QPointF where(x_map_.px(p.workers), y_map_.px(p.speedup));
        if (!area.contains(where)) continue;
        if (p.fits)
            draw_marker(painter, where, curve_marker(data_.curves[at(curve)].look),
                        curve_colour(look(), data_.curves[at(curve)].look));
        else if (shows_misfits())
            draw_misfit_point(painter, where, look());
    }
}

void SpeedupChart::paint_crosshair(QPainter& painter) {
    if (!empty_text().isEmpty()) return;
    const Theme& t = look();
    const QRectF rect(plot_rect());
    painter.setRenderHint(QPainter::Antialiasing);
    if (!data_.caption.isEmpty()) {
        const QFont font = type::caption();
        const double room = rect.width() + 44;
        draw_label(painter, QRectF(rect.left() - 30, rect.bottom() + PxF{22}, room, PxF{14}), Qt::AlignCenter, font,
                   t.secondary, caption_in(room, data_.caption, font));
    }

    const double x = crosshair_x();
    const bool visible = x >= rect.left() - 1.0 && x <= rect.right() + 1.0;
    QFont tag_font = type::caption();
    tag_font.setWeight(QFont::DemiBold);
    const QString tag_text = told(format_count(workers_));
    QRectF tag;
    if (visible) {
        const double width = std::max(28.0, QFontMetricsF(tag_font).horizontalAdvance(tag_text) + 14.0);
        tag = QRectF(x - width / 2, rect.bottom() + 4.0, width, tag_height);
        tag.moveLeft(std::clamp(tag.left(), 4.0, static_cast<double>(plot()->viewport().width()) - 4.0 - width));
    }
    paint_x_labels(painter, tag);
    if (hovered_ > 0 && !exporting()) {
        for (int i = 0; i < static_cast<int>(data_.curves.size()); ++i) {
            const Reading r = reading(i, hovered_);
            if (series_hidden(curve_key(i)) || !(r.speedup > 0.0)) continue;
            painter.setPen(QPen(t.card, 1.5));
            painter.setBrush(curve_colour(t, data_.curves[at(i)].look));
            painter.drawEllipse(QPointF(x_map_.px(hovered_), y_map_.px(r.speedup)), 4.5, 4.5);
        }
    }
    if (!visible) {
        if (show_guides_) guides_.paint_labels(painter, t, {});
        return;
    }

    const Reading shown =
        series_hidden(curve_key(data_.shown)) ? Reading{std::nan(""), false, {}} : reading(data_.shown, workers_);
    const QPointF ring(x, shown.speedup > 0.0 ? y_map_.px(shown.speedup) : std::nan(""));
    const bool has_ring = shown.speedup > 0.0 && clip().contains(ring);
    const QString value = (shown.exact ? QString() : QStringLiteral("≈")) + text_of_value(shown.speedup);
    const QRectF value_box = has_ring ? tag_box(ring, value) : QRectF();
    if (show_guides_) guides_.paint_labels(painter, t, value_box.adjusted(-2, -2, 2, 2));
    if (has_ring) {
        painter.setPen(dashed_pen(t.accent, 1.25, {2, 3}));
        painter.drawLine(QPointF(rect.left(), ring.y()), QPointF(x - ring_radius, ring.y()));
    }
    painter.setPen(QPen(t.accent, 1.5, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QPointF(x, rect.top() - 5), QPointF(x, rect.bottom() + 4));
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.accent);
    painter.drawRoundedRect(tag, 4, 4);
    draw_label(painter, tag, Qt::AlignCenter, tag_font, t.on_accent, tag_text);
    if (!has_ring) return;
    const QColor colour = shown.fits ? curve_colour(t, data_.curves[at(data_.shown)].look) : t.error;
    painter.setPen(QPen(colour, 2.0));
    painter.setBrush(t.card);
    painter.drawEllipse(ring, ring_radius, ring_radius);
    painter.setPen(QPen(colour, 1.25));
    painter.setBrush(t.card);
    painter.drawRoundedRect(value_box, 4, 4);
    QFont value_font = type::table_strong();
    value_font.setStrikeOut(!shown.fits);
    draw_label(painter, value_box, Qt::AlignCenter, value_font, shown.fits ? t.text : t.error, value);
}

/// Where the value at the crosshair stands.
QRectF SpeedupChart::tag_box(QPointF ring, const QString& text) const {
    const QRectF rect(plot_rect());
    const double width = QFontMetricsF(type::table_strong()).horizontalAdvance(text) + 15.0, height = 20.0;
    QRectF tag(ring.x() - 9.5 - width, ring.y() - 5.0 - height, width, height);
    if (tag.left() < rect.left() + 2) tag.moveLeft(ring.x() + 10.0);
    if (tag.top() < rect.top() - 6) tag.moveTop(ring.y() + 8.0);
    return tag;
}

void SpeedupChart::paint_x_labels(QPainter& painter, const QRectF& tag) {
    const QRectF rect(plot_rect());
    const QFont font = type::caption();
    QRectF last;
    for (const double tick : x_ticks_) {
        const QString text = told(format_count(static_cast<std::int64_t>(std::lround(tick))));
        const double width = text_width(font, text);
        const double right_end = static_cast<double>(plot()->viewport().width()) - 5.0;
        QRectF box(x_map_.px(tick) - width / 2, rect.bottom() + 4.0, width, label_line);
        if (box.right() > right_end) box.moveRight(right_end);
        if (!tag.isEmpty() && box.adjusted(-3, 0, 3, 0).intersects(tag)) continue;
        if (box.adjusted(-3, 0, 3, 0).intersects(last)) continue;
        last = box;
        draw_label(painter, box, Qt::AlignCenter, font, look().secondary, text);
    }
}

}  // namespace scalescope::ui
