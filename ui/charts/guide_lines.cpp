// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/guide_lines.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/charts/marks.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr PxF label_row{15.0}, label_gap{3.0}, label_padding{3.0};

/// Whether a curve passes through a box: the points are dense enough to be looked at two by two.
bool passes(const std::vector<QPointF>& curve, const QRectF& box) {
    for (std::size_t i = 1; i < curve.size(); ++i) {
        const QPointF &a = curve[i - 1], &b = curve[i];
        if (!std::isfinite(a.y()) || !std::isfinite(b.y()) || b.x() < box.left() || a.x() > box.right()) continue;
        const auto height = [&](double x) {
            return b.x() > a.x() ? a.y() + (b.y() - a.y()) * (x - a.x()) / (b.x() - a.x()) : a.y();
        };
        const double y1 = height(std::max(a.x(), box.left())), y2 = height(std::min(b.x(), box.right()));
        if (std::max(y1, y2) >= box.top() && std::min(y1, y2) <= box.bottom()) return true;
    }
    return false;
}

}  // namespace

void GuideLines::arrange(const std::vector<GuideLine>& lines, const QRectF& plot, const AxisMap& x,
                         const std::vector<std::vector<QPointF>>& curves) {
    plot_ = plot;
    placed_.clear();
    for (const GuideLine& line : lines) {
        const double at = x.px(line.workers);
        placed_.push_back({at, {}, line.label, line.brief, at >= plot.left() - 0.5 && at <= plot.right() + 1.5});
    }
    const int rows = static_cast<int>((plot.height() - 4.0) / label_row);
    /// Whether a label lies on another line; nothing for where it must not be.
    const auto covered = [&](const QRectF& box) -> std::optional<bool> {
        if (box.left() < plot.left() + 1.0 || box.right() > plot.right()) return std::nullopt;
        bool line = false;
        for (const Placed& other : placed_) {
            if (!other.shown) continue;
            if (!other.label.isEmpty() && other.label.adjusted(-2, 0, 2, 0).intersects(box)) return std::nullopt;
            line = line || (other.x > box.left() - 1.0 && other.x < box.right() + 1.0);
        }
        if (std::any_of(curves.begin(), curves.end(), [&](const auto& c) { return passes(c, box); }))
            return std::nullopt;
        return line;
    };
    /// As near to the foot as it can be had.
    const auto place_for = [&](double x_line, const QString& text, bool may_cover_lines) {
        const double width = text_width(type::caption(), text) + 2 * label_padding;
        for (int row = 0; row < rows; ++row)
            for (const bool right : {true, false}) {
                const QRectF box(right ? x_line + label_gap : x_line - label_gap - width,
                                 plot.bottom() - 3.0 - (row + 1) * label_row, width, label_row - 1.0);
                const auto cover = covered(box);
                if (cover && (may_cover_lines || !*cover)) return box;
            }
        return QRectF();
    };
    for (Placed& place : placed_) {
        if (!place.shown) continue;
        // In few words rather than on another line.
        const QString full = place.text, brief = place.brief.isEmpty() ? full : place.brief;
        for (const bool may_cover_lines : {false, true})
            for (const QString& text : {full, brief}) {
                if (!place.label.isEmpty()) break;
                place.text = text;
                place.label = place_for(place.x, text, may_cover_lines);
            }
    }
}

void GuideLines::paint_lines(QPainter& painter, const Theme& theme) const {
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double scale = paint_scale(painter);
    for (const Placed& place : placed_)
        if (place.shown)
            painter.fillRect(QRectF(snapped(place.x, scale), plot_.top(), 1.0, plot_.height()), theme.ideal);
}

void GuideLines::paint_labels(QPainter& painter, const Theme& theme, const QRectF& taken) const {
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Placed& place : placed_) {
        if (place.label.isEmpty() || place.label.intersects(taken)) continue;
        QColor ground = theme.card;
        ground.setAlphaF(0.85F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ground);
        painter.drawRoundedRect(place.label, 3, 3);
        draw_label(painter, place.label, Qt::AlignCenter, type::caption(), theme.secondary, place.text);
    }
}

int GuideLines::line_at(QPointF at, double slack) const {
    if (at.y() < plot_.top() - slack || at.y() > plot_.bottom() + slack) return -1;
    int nearest = -1;
    for (std::size_t i = 0; i < placed_.size(); ++i) {
        if (!placed_[i].shown) continue;
        if (placed_[i].label.contains(at)) return static_cast<int>(i);
        if (const double d = std::abs(placed_[i].x - at.x()); d <= slack) slack = d, nearest = static_cast<int>(i);
    }
    return nearest;
}

}  // namespace scalescope::ui
