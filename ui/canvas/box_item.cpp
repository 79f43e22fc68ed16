// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/box_item.hpp"

#include <QCoreApplication>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <algorithm>

#include "ui/language/told.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr double radius = 6, box_inset = 9, box_line = 16, second = 4, sign_side = 8, box_header = 26, box_around = 7,
                 box_icon_side = 12, band_above = 5, band_height = 2.5;

void draw_sign(QPainter& painter, QPointF middle, bool plus, const QColor& ink) {
    painter.setPen(QPen(ink, 1.5));
    painter.drawLine(middle - QPointF(sign_side / 2, 0), middle + QPointF(sign_side / 2, 0));
    if (plus) painter.drawLine(middle - QPointF(0, sign_side / 2), middle + QPointF(0, sign_side / 2));
}

}  // namespace

void draw_division(QPainter& painter, const QRectF& band, int divided, bool mixed, const QColor& ink) {
    constexpr int most = 8;  // more pieces could not be told apart
    constexpr double between = 3;
    QRectF whole = band;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (divided > 1) {
        QRectF cut = band;
        if (mixed) cut.setWidth(band.width() / 2 - between);
        whole.setLeft(mixed ? band.center().x() + between : band.right());
        const int pieces = std::min(divided, mixed ? most / 2 : most);
        const double width = (cut.width() + between) / pieces;
        for (int i = 0; i < pieces; ++i)
            painter.fillRect(QRectF(cut.left() + i * width, cut.top(), width - between, cut.height()), ink);
    }
    if (whole.width() > 1) {
        painter.setOpacity(painter.opacity() * 0.45);
        painter.fillRect(whole, ink);
    }
    painter.restore();
}

BoxItem::BoxItem(int index, QSizeF size, const Theme* const& look) : index_(index), size_(size), look_(look) {
    setFlag(ItemIsSelectable);
    setFlag(ItemUsesExtendedStyleOption, false);
}

void BoxItem::show(const BoxLook& what) {
    if (what == shown_) return;
    shown_ = what;
    update();
}

void BoxItem::set_hovered(bool on) {
    if (on == hovered_) return;
    hovered_ = on;
    update();
}

bool BoxItem::on_sign(QPointF at) const {
    if (shown_.kind == BoxLook::Kind::layer) return false;
    const double height = shown_.kind == BoxLook::Kind::open ? box_header : size_.height() / 2;
    return QRectF(0, 0, box_inset + sign_side + 8, height).contains(at);
}

QRectF BoxItem::boundingRect() const {
    return QRectF(QPointF(), size_).adjusted(-box_around, -box_around, box_around, box_around);
}

/// Of an unfolded block, its header and its edge: what is in it must be reached, and a rubber band may start there.
QPainterPath BoxItem::shape() const {
    QPainterPath path;
    path.addRect(shown_.kind == BoxLook::Kind::open ? QRectF(0, 0, size_.width(), box_header)
                                                    : QRectF(QPointF(), size_));
    return path;
}

QColor BoxItem::border() const {
    if (shown_.faulty) return look_->error;
    if (is_guess()) return look_->unknown_border;
    return hovered_ ? look_->secondary : look_->axis;
}

void BoxItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const double scale = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
    if (shown_.dimmed) painter->setOpacity(0.3);
    if (isSelected()) {
        painter->setRenderHint(QPainter::Antialiasing, scale > readable / 2);
        painter->setBrush(shown_.kind != BoxLook::Kind::open ? QBrush(look_->selection) : QBrush(Qt::NoBrush));
        painter->setPen(QPen(look_->accent, std::max(2.0, 2.0 / scale)));
        const double out = isSelected() ? 3 : 4;
        painter->drawRoundedRect(QRectF(QPointF(), size_).adjusted(-out, -out, out, out), radius + out, radius + out);
    }
    if (shown_.kind == BoxLook::Kind::open)
        paint_open(*painter, scale);
    else
        paint_closed(*painter, scale);
}

void BoxItem::paint_open(QPainter& painter, double scale) const {
    const QRectF box(QPointF(), size_);
    if (scale < readable / 2) {
        painter.setPen(QPen(border(), 0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box);
        return;
    }
    draw_box(painter, box, look_->card, border(), radius);
    if (scale < readable) return;
    painter.setRenderHint(QPainter::Antialiasing);
    draw_sign(painter, {box_inset + sign_side / 2, box_header / 2 + 1}, false, look_->text);
    const double left = box_inset + sign_side + 6, room = size_.width() - left - box_inset;
    const double title = std::min(text_width(type::table_strong(), shown_.title), room);
    draw_text(painter, {left, 5, room, box_line}, Qt::AlignLeft | Qt::AlignVCenter, shown_.title, type::table_strong(),
              look_->text);
    const QString rest = shown_.value.isEmpty() ? shown_.caption : shown_.caption + tr(" · ") + shown_.value;
    draw_text(painter, {left + title + 8, 5, room - title - 8, box_line}, Qt::AlignLeft | Qt::AlignVCenter, rest,
              type::caption(), look_->secondary);
}

void BoxItem::paint_closed(QPainter& painter, double scale) const {
    const QRectF box(QPointF(), size_);
    const bool amber = shown_.guess == BoxLook::Guess::all;
    const QColor ground = amber ? look_->unknown_fill : shown_.ground.isValid() ? shown_.ground : look_->card;
    if (scale < readable) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.fillRect(box, ground);
        if (shown_.faulty || scale > readable / 2) {
            painter.setPen(QPen(border(), 0));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box);
        }
        return;
    }
    const bool folded = shown_.kind == BoxLook::Kind::folded;
    if (folded)  // there is more behind it
        draw_box(painter, box.translated(second, second), look_->card, border(), radius);
    if (is_guess() || shown_.faulty) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(ground);
        painter.setPen(QPen(border(), 1.5, is_guess() ? Qt::DashLine : Qt::SolidLine));
        painter.drawRoundedRect(box.adjusted(.75, .75, -.75, -.75), radius, radius);
    } else {
        draw_box(painter, box, ground, border(), radius);
    }
    const QColor ink = amber ? look_->unknown_text : look_->ink_on(ground);
    const double room = size_.width() - 2 * box_inset, top = (size_.height() - 2 * box_line) / 2;
    double left = box_inset, right = 0;
    if (folded) {
        painter.setRenderHint(QPainter::Antialiasing);
        draw_sign(painter, {box_inset + sign_side / 2, top + box_line / 2 + 0.5}, true, ink);
        left += sign_side + 6;
    }
    QStringList marks;
    if (is_guess()) marks << QStringLiteral("?");
    if (shown_.repeat > 1) marks << QStringLiteral("×%1").arg(shown_.repeat);
    if (shown_.divided > 1) marks << QStringLiteral("÷%1").arg(shown_.divided);
    const QString mark = marks.join(QLatin1Char(' '));
    if (!mark.isEmpty()) right = text_width(type::table_strong(), mark) + 6;
    if (mark.isEmpty() && !shown_.icon.isEmpty() &&
        text_width(type::table_strong(), shown_.title) + box_icon_side + 6 <= room - left + box_inset) {
        const double opacity = painter.opacity();
        painter.setOpacity(0.75 * opacity);  // less loud than the name
        draw_icon(
            painter, shown_.icon,
            {box_inset + room - box_icon_side, top + (box_line - box_icon_side) / 2, box_icon_side, box_icon_side},
            ink);
        painter.setOpacity(opacity);
    }
    draw_text(painter, {left, top, box_inset + room - left - right, box_line}, Qt::AlignLeft | Qt::AlignVCenter,
              shown_.title, type::table_strong(), ink);
    draw_text(painter, {box_inset, top, room, box_line}, Qt::AlignRight | Qt::AlignVCenter, mark, type::table_strong(),
              ink);
    if (shown_.divided > 0)
        draw_division(painter, {box_inset, size_.height() - band_above, room, band_height}, shown_.divided,
                      shown_.mixed, ink);
    const double value = shown_.value.isEmpty() ? 0 : text_width(type::caption(), shown_.value) + 6;
    draw_text(painter, {box_inset, top + box_line, room - value, box_line}, Qt::AlignLeft | Qt::AlignVCenter,
              shown_.caption, type::caption(), ink);
    draw_text(painter, {box_inset, top + box_line, room, box_line}, Qt::AlignRight | Qt::AlignVCenter, shown_.value,
              type::caption(), ink);
}

}  // namespace scalescope::ui
