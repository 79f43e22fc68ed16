// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/border_item.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/theme/paint.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr double tag_padding = 7, grip_width = 8, side_words = 15, kept_from_edge = 8;

}  // namespace

BorderItem::BorderItem(CanvasBorder border, std::vector<QPointF> line, const Theme* const& look)
    : border_(std::move(border)), line_(std::move(line)), look_(look) {
    tag_at_ = wanted_height();
}

double BorderItem::height_at(double x) const {
    for (std::size_t i = 1; i < line_.size(); i += 2)
        if (x <= line_[i].x()) return line_[i].y();
    return line_.empty() ? 0 : line_.back().y();
}

double BorderItem::wanted_height() const { return line_.empty() ? 0 : line_.front().y(); }

/// How much larger than the drawing words are.
double BorderItem::words() const { return std::max(1.0, 1 / scale_); }

void BorderItem::see(double scale, double left, double height) {
    if (scale == scale_ && left == left_ && height == tag_at_) return;
    prepareGeometryChange();
    scale_ = scale;
    left_ = left;
    tag_at_ = height;
    update();
}

QRectF BorderItem::tag_box() const {
    if (line_.empty()) return {};
    const double grip = border_.allowed.empty() ? 0 : grip_width;
    const double width = std::min(text_width(type::caption(), border_.tag) + 2 * tag_padding + grip + 2, lane - 6);
    const double w = width * words(), h = tag_side * words();
    const double home = line_.front().x() - w, x = std::max(home, left_ + kept_from_edge / scale_);
    const double y = x > home ? tag_at_ + height_at(x) - wanted_height() : tag_at_;
    return {x, y - h / 2, w, h};
}

bool BorderItem::takes(QPointF at, double reach) const {
    if (line_.empty()) return false;
    const QRectF tag = tag_box();
    const double more = std::max(0.0, reach - tag.height() / 2);
    if (tag.adjusted(-more, -more, more, more).contains(at)) return true;
    if (border_.number < 0) return false;
    for (std::size_t i = 1; i < line_.size(); ++i) {
        const QRectF stretch = QRectF(line_[i - 1], line_[i]).normalized();
        if (stretch.adjusted(-reach, -reach, reach, reach).contains(at)) return true;
    }
    return false;
}

void BorderItem::set_held(bool on) {
    if (std::exchange(held_, on) != on) update();
}

void BorderItem::set_focused(bool on) {
    if (std::exchange(focused_, on) != on) update();
}

QRectF BorderItem::boundingRect() const {
    if (line_.empty()) return {};
    QRectF all = tag_box().adjusted(0, -side_words * words() - 4, 0, side_words * words() + 4);
    for (const QPointF& p : line_) all = all.united(QRectF(p, QSizeF(1, 1)));
    const double margin = 4 * words();
    return all.adjusted(-margin, -margin, margin, margin);
}

void BorderItem::paint_line(QPainter& painter) const {
    const double width = (held_ || focused_ ? 3.0 : 2.0) * words();
    QPen pen(held_ ? look_->accent_hover : look_->accent, width,
             border_.automatic && !held_ ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    painter.save();
    if (!through_.empty()) {  // over the words of a box it only begins and ends
        const double tick = 10;
        QPainterPath outside;
        outside.addRect(boundingRect());
        for (const QRectF& box : through_) {
            QPainterPath inside;
            inside.addRect(box.adjusted(tick, 0, -tick, 0));
            outside = outside.subtracted(inside);
        }
        painter.setClipPath(outside, Qt::IntersectClip);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line_.data(), static_cast<int>(line_.size()));
    painter.restore();
    if (through_.empty()) return;
    painter.save();
    painter.setOpacity(painter.opacity() * 0.6);
    pen.setWidthF(words());
    pen.setStyle(Qt::DotLine);
    painter.setPen(pen);
    for (const QRectF& box : through_) {
        const double y = height_at(box.center().x());
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
    }
    painter.restore();
}

void BorderItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    if (line_.empty()) return;
    if (border_.number >= 0) paint_line(*painter);
    const QRectF tag = tag_box();
    const bool at_home = tag.right() <= line_.front().x() + 1e-6;
    if (border_.number >= 0 && at_home && std::abs(tag.center().y() - wanted_height()) > 1) {
        // Names that keep off each other stand beside their lines.
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(look_->accent, words()));
        painter->drawLine(QPointF(tag.right(), tag.center().y()), line_.front() + QPointF(10 * words(), 0));
    }
    painter->save();
    painter->translate(tag.topLeft());
    painter->scale(words(), words());
    const QRectF box(QPointF(), tag.size() / words());
    const bool movable = !border_.allowed.empty();
    if (focused_) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(look_->accent, 1.5));
        painter->setBrush(look_->card);
        painter->drawRoundedRect(box.adjusted(-3, -3, 3, 3), 7, 7);
    }
    const QColor ground = border_.number < 0 ? look_->card : held_ ? look_->accent_hover : look_->accent;
    const QColor ink = border_.number < 0 ? look_->accent : look_->on_accent;
    draw_box(*painter, box, ground, border_.number < 0 ? look_->accent : QColor(), 4, border_.number < 0 ? 1 : 0);
    double left = tag_padding;
    if (movable) {  // two rows of dots, as things that can be dragged have
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(ink);
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 2; ++column)
                painter->drawEllipse(QPointF(left + 1 + 4 * column, box.center().y() + 4 * (row - 1)), 1, 1);
        left += grip_width + 2;
    }
    draw_text(*painter, {left, 0, box.width() - left - tag_padding + 2, box.height()}, Qt::AlignLeft | Qt::AlignVCenter,
              border_.tag, type::caption(), ink, Qt::ElideMiddle);
    if (at_home) {
        const auto side = [&](const QString& text, double y) {
            const double width = lane - 6;
            draw_text(*painter, {box.right() - width, y, width, side_words}, Qt::AlignRight | Qt::AlignVCenter, text,
                      type::caption(), look_->text);
        };
        side(border_.above, -side_words - 3);
        side(border_.below, box.height() + 3);
    }
    painter->restore();
}

}  // namespace scalescope::ui
