// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/wire_item.hpp"

#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include "ui/canvas/box_item.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr double head = 5, label_height = 14, wire_reach = 7;

/// A line through the points that leaves and arrives upright.
QPainterPath through(const std::vector<QPointF>& points) {
    QPainterPath path(points.front());
    for (std::size_t i = 1; i < points.size(); ++i) {
        const QPointF a = points[i - 1], b = points[i];
        if (qAbs(a.x() - b.x()) < 0.5) {
            path.lineTo(b);
            continue;
        }
        const double bow = qMax(10.0, qAbs(b.y() - a.y()) / 2);
        path.cubicTo(a + QPointF(0, bow), b - QPointF(0, bow), b);
    }
    return path;
}

}  // namespace

WireItem::WireItem(int index, const std::vector<QPointF>& bends, bool arrow, QPointF label_at, const Theme* const& look)
    : index_(index), arrow_(arrow), path_(through(bends)), end_(bends.back()), label_at_(label_at), look_(look) {
    setFlag(ItemIsSelectable);
    bounds_ = path_.boundingRect().adjusted(-wire_reach, -wire_reach, wire_reach, wire_reach);
}

QRectF WireItem::label_box() const {
    const QString& text = shown_.shape;
    if (text.isEmpty()) return {};
    const QFont font = shown_.fault.isEmpty() ? type::caption() : type::table_strong();
    return {label_at_, QSizeF(text_width(font, text) + 2, label_height)};
}

QPointF WireItem::label_end() const {
    const QRectF label = label_box();
    return label.isEmpty() ? path_.pointAtPercent(0.5) : QPointF(label.right() + 2, label.center().y());
}

QPointF WireItem::label_start() const {
    const QRectF label = label_box();
    return label.isEmpty() ? label_end() : QPointF(label.left() - 2, label.center().y());
}

void WireItem::show(const WireLook& what) {
    if (what == shown_) return;
    prepareGeometryChange();
    shown_ = what;
    bounds_ = path_.boundingRect().adjusted(-wire_reach, -wire_reach, wire_reach, wire_reach).united(label_box());
    update();
}

void WireItem::set_hovered(bool on) {
    if (on == hovered_) return;
    hovered_ = on;
    update();
}

QPainterPath WireItem::shape() const {
    QPainterPathStroker stroker;
    stroker.setWidth(2 * wire_reach);
    return stroker.createStroke(path_);
}

void WireItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const double scale = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
    const bool faulty = !shown_.fault.isEmpty();
    const QColor ink = faulty                                   ? look_->error
                       : shown_.lit || hovered_ || isSelected() ? look_->accent
                                                                : look_->secondary;
    if (shown_.dimmed) painter->setOpacity(0.3);
    QPen pen(ink, isSelected() ? 2.5 : faulty ? 1.75 : 1.25);
    if (scale < BoxItem::readable) pen.setWidthF(0);
    if (faulty) pen.setDashPattern({6 / 1.75, 3 / 1.75});
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);
    painter->setRenderHint(QPainter::Antialiasing, scale >= BoxItem::readable / 2);
    painter->drawPath(path_);
    if (scale < BoxItem::readable) return;
    if (arrow_) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(ink);
        const QPointF tip[] = {end_, end_ + QPointF(-head * 0.7, -head * 1.2), end_ + QPointF(head * 0.7, -head * 1.2)};
        painter->drawPolygon(tip, 3);
    }
    if (shown_.shape.isEmpty()) return;
    draw_line(*painter, label_box(), Qt::AlignLeft | Qt::AlignVCenter, faulty ? type::table_strong() : type::caption(),
              faulty ? look_->error : look_->secondary, shown_.shape);
}

}  // namespace scalescope::ui
