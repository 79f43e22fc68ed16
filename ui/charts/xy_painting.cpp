// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/marks.hpp"
#include "ui/charts/misfit.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr PxF name_below{21}, caption_below{36}, name_row{14};

}  // namespace

void XyChart::paint(QPainter& painter) {
    if (!empty_text().isEmpty()) return;
    const Theme& t = look();
    const QRectF rect(plot_rect()), clip = rect.adjusted(-0.5, -1.5, 0.5, 1.5);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont font = type::caption();
    const QString x_name = data_.x.unit.isEmpty() ? data_.x.name : tr("%1 in %2").arg(data_.x.name, data_.x.unit);
    draw_label(painter, QRectF(rect.left(), rect.bottom() + name_below, rect.width(), name_row), Qt::AlignCenter, font,
               t.secondary, data_.x.logarithmic ? tr("%1 (log)").arg(x_name) : x_name);
    if (!data_.caption.isEmpty())
        draw_label(painter, QRectF(rect.left() - 30, rect.bottom() + caption_below, rect.width() + 44, name_row),
                   Qt::AlignCenter, font, t.secondary,
                   QFontMetricsF(font).elidedText(data_.caption, Qt::ElideRight, rect.width() + 44));
    paint_y_name(painter);
    if (data_.equal_axes) paint_diagonals(painter, clip);
    for (const XySeries& s : data_.series)
        if (s.style == XySeries::Style::line && !series_hidden(s.key)) paint_series(painter, s, clip);
    for (const XySeries& s : data_.series)
        if (s.style == XySeries::Style::dots && !series_hidden(s.key)) paint_series(painter, s, clip);
    if (data_.names_beside) paint_names(painter, clip);
    const auto ring = [&](const XyPoint& p, const QColor& colour) {
        const QPointF where(x_pixel(p.x), y_pixel(p.y));
        if (!clip.contains(where)) return;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colour, 2.0));
        painter.drawEllipse(where, 6.0, 6.0);
    };
    for_each_point([&](int i, const XySeries& s, const XyPoint& p) {
        if (selected() >= 0 && p.id == selected() && drawable(p) && !series_hidden(s.key)) ring(p, t.accent);
        if (i == hovered_item() && !exporting()) ring(p, t.text);
    });
}

/// Upright, left of the numbers; its unit stands beside the title.
void XyChart::paint_y_name(QPainter& painter) {
    const QFont font = type::caption();
    const QRectF box = y_name_box();
    const QString name = data_.y.logarithmic ? tr("%1 (log)").arg(data_.y.name) : data_.y.name;
    painter.save();
    painter.translate(box.left(), box.bottom());
    painter.rotate(-90);
    draw_label(painter, QRectF(0, 0, box.height(), box.width()), Qt::AlignCenter, font, look().secondary,
               QFontMetricsF(font).elidedText(name, Qt::ElideRight, box.height()));
    painter.restore();
}

QRectF XyChart::y_name_box() const {
    const QRectF rect(plot_rect());
    return {PxF{8}, rect.top() - 4, name_row, rect.height() + PxF{name_below}};
}

/// y = x, and lines at fixed shares above and below, named at the upper or right end.
void XyChart::paint_diagonals(QPainter& painter, const QRectF& clip) {
    const Theme& t = look();
    const auto line = [&](double factor, const QPen& pen) {
        std::vector<QPointF> points;  // straight on logarithmic axes, and through zero on linear ones
        for (const double x : {x_map_.range.lower, x_map_.range.upper})
            points.emplace_back(x_pixel(x), y_pixel(x * factor));
        draw_polyline(painter, points, clip, pen);
    };
    line(1.0, QPen(t.ideal, 1.25));
    for (const double share : data_.around)
        for (const double factor : {1.0 + share, 1.0 - share}) line(factor, dashed_pen(t.ideal, 1.0, {2.0, 3.0}));
    for (const DiagonalName& name : diagonal_names())
        if (clip.contains(name.box))
            draw_label(painter, name.box, Qt::AlignCenter, type::caption(), t.secondary, name.text);
}

/// Where a line leaves at the top, or, below the diagonal, at the right. Over many decades the lines are too close for
/// all their names: then those of one side stand together at the outermost.
std::vector<XyChart::DiagonalName> XyChart::diagonal_names() const {
    constexpr double apart = 6;
    std::vector<DiagonalName> all;
    for (const bool above : {true, false}) {
        std::vector<double> shares = data_.around;
        std::sort(shares.begin(), shares.end());
        std::vector<DiagonalName> side;
        const auto named = [&](double share, const QString& text) {
            const double factor = above ? 1.0 + share : 1.0 - share;
            const double width = text_width(type::caption(), text);
            if (above) {  // left of where the line is as low as the text's foot
                const double top = y_map_.to_px + 1;
                const double right = std::min(x_pixel(y_map_.value(top + 15) / factor), double(x_map_.to_px)) - 4;
                return DiagonalName{text, QRectF(right - width, top, width, 14)};
            }
            const double left = x_map_.to_px - 2 - width;  // under the line at the text's left end
            return DiagonalName{text, QRectF(left, y_pixel(x_map_.value(left) * factor) + 2, width, 14)};
        };
        QStringList together;
        bool crowded = false;
        for (const double share : shares) {
            together << (above ? QStringLiteral("+%1 %") : QStringLiteral("−%1 %"))
                            .arg(static_cast<int>(std::lround(share * 100)));
            side.push_back(named(share, together.back()));
            if (side.size() > 1)
                crowded =
                    crowded || side[side.size() - 2].box.adjusted(-apart, 0, apart, 0).intersects(side.back().box);
        }
        if (crowded) side = {named(shares.back(), together.join(QStringLiteral(", ")))};
        all.insert(all.end(), side.begin(), side.end());
    }
    return all;
}

/// Beside the dot, or above or below it, where there is room, else not at all: the tooltip has it. Lines to dots come
/// from the side.
void XyChart::paint_names(QPainter& painter, const QRectF& clip) {
    const QFont font = type::caption();
    std::vector<QRectF> taken;
    for (const XySeries& s : data_.series)
        if (s.style == XySeries::Style::dots && !series_hidden(s.key))
            for (const XyPoint& p : s.points)
                if (drawable(p)) taken.emplace_back(x_pixel(p.x) - 5, y_pixel(p.y) - 5, 10, 10);
    const auto free = [&](const QRectF& box) {
        return clip.contains(box) &&
               std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(box); });
    };
    for (const XySeries& s : data_.series) {
        if (s.style != XySeries::Style::dots || series_hidden(s.key)) continue;
        for (const XyPoint& p : s.points) {
            if (!drawable(p) || hides(p) || !p.named || p.label.isEmpty()) continue;
            const double width = text_width(font, p.label), x = x_pixel(p.x), y = y_pixel(p.y);
            std::array boxes{QRectF(x + 8, y - 7, width, 14), QRectF(x - 8 - width, y - 7, width, 14),
                             QRectF(x - width / 2, y - 21, width, 14), QRectF(x - width / 2, y + 7, width, 14)};
            if (p.from) std::rotate(boxes.begin(), boxes.begin() + 2, boxes.end());
            for (const QRectF& box : boxes) {
                if (!free(box)) continue;
                draw_label(painter, box, Qt::AlignCenter, font, look().secondary, p.label);
                taken.push_back(box);
                break;
            }
        }
    }
}

void XyChart::paint_series(QPainter& painter, const XySeries& series, const QRectF& clip) {
    const Theme& t = look();
    const QColor colour = curve_colour(t, series.colour);
    if (series.style == XySeries::Style::line) {
        std::vector<QPointF> middle;
        QPolygonF low, high;
        for (const XyPoint& p : series.points) {
            middle.emplace_back(x_pixel(p.x), drawable(p) ? y_pixel(p.y) : std::nan(""));
            if (!p.band || !drawable(p)) continue;
            const auto inside = [&](double y) { return std::clamp(y_pixel(y), clip.top(), clip.bottom()); };
            const double x = std::clamp(middle.back().x(), clip.left(), clip.right());
            low << QPointF(x, inside(p.band->lower));
            high << QPointF(x, inside(p.band->upper));
        }
        if (low.size() > 1) {
            QColor fill = colour;
            fill.setAlphaF(0.16F);
            QPolygonF band = high;
            for (auto p = low.crbegin(); p != low.crend(); ++p) band << *p;
            painter.setPen(Qt::NoPen);
            painter.setBrush(fill);
            painter.drawPolygon(band);
        }
        draw_polyline(painter, middle, clip, line_pen(t, series.colour, 1.75, series.dashed));
        return;
    }
    for (const XyPoint& p : series.points) {
        if (!drawable(p) || hides(p)) continue;
        const QPointF where(x_pixel(p.x), y_pixel(p.y));
        if (!clip.adjusted(-1, -1, 1, 1).contains(where)) continue;
        if (p.band) {
            const auto inside = [&](double y) { return std::clamp(y_pixel(y), clip.top(), clip.bottom()); };
            QColor thin = colour;
            thin.setAlphaF(0.45F);
            painter.setPen(QPen(thin, 1.0));
            painter.drawLine(QPointF(where.x(), inside(p.band->lower)), QPointF(where.x(), inside(p.band->upper)));
        }
        if (p.from && !series_hidden(QStringLiteral("hollow"))) {
            QColor thin = colour;
            thin.setAlphaF(0.6F);
            draw_polyline(painter, {QPointF(x_pixel(p.from->x()), y_pixel(p.from->y())), where}, clip, QPen(thin, 1.0));
        }
        draw_marker(painter, where, curve_marker(series.colour), p.hollow ? t.card : colour,
                    QPen(p.hollow ? colour : t.card, p.hollow ? 1.5 : 0.75));
        if (!p.fits) draw_misfit_point(painter, where, t);
    }
}

}  // namespace scalescope::ui
