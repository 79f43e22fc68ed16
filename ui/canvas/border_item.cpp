// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/border_item.hpp"

#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include "ui/canvas/box_item.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr double above = 8, beyond = 12, tag_height = 16, tag_padding = 5;

}  // namespace

BorderItem::BorderItem(const QString& text, double width, const Theme* const& look)
    : text_(text), width_(width), look_(look) {}

QRectF BorderItem::boundingRect() const {
    const double tag = text_width(type::caption(), text_) + 2 * tag_padding;
    return QRectF(-beyond - tag, -above - tag_height / 2, width_ + 2 * beyond + tag, tag_height).adjusted(-1, -1, 1, 1);
}

void BorderItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const double scale = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
    painter->setPen(QPen(look_->accent, std::max(1.5, 1.5 / scale), Qt::DashLine));
    painter->drawLine(QPointF(-beyond, -above), QPointF(width_ + beyond, -above));
    if (scale < BoxItem::readable) return;
    const double tag = text_width(type::caption(), text_) + 2 * tag_padding;
    const QRectF box(-beyond - tag, -above - tag_height / 2, tag, tag_height);
    draw_box(*painter, box, look_->accent, {}, 4, 0);
    draw_text(*painter, box, Qt::AlignCenter, text_, type::caption(), look_->on_accent);
}

}  // namespace scalescope::ui
