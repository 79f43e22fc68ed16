// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pin_row.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>

#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

QString pin_letter(int index) { return QString(QChar(u'A' + index)); }

}  // namespace

QVector<qreal> pin_dashes(int pin_index) {
    switch (pin_index) {
        case 0: return {5, 3};
        case 1: return {2, 2};
        case 2: return {8, 3};
        default: return {8, 3, 2, 3};
    }
}

PinRow::PinRow(int pin_index, QWidget* parent) : QWidget(parent), index_(pin_index) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 4, 0);
    row->setSpacing(0);
    row->addStretch();
    const QString letter = pin_letter(pin_index);
    auto* rename = make_icon_button("edit", tr("Rename %1").arg(letter));
    auto* swap = make_icon_button("swap", tr("Swap %1 with the present scenario").arg(letter));
    auto* unpin = make_icon_button("close", tr("Unpin %1").arg(letter));
    for (auto* button : {rename, swap, unpin}) row->addWidget(button);
    connect(rename, &QToolButton::clicked, this, &PinRow::rename_clicked);
    connect(swap, &QToolButton::clicked, this, &PinRow::swap_clicked);
    connect(unpin, &QToolButton::clicked, this, &PinRow::unpin_clicked);
    set_name({});
}

void PinRow::set_name(const QString& name) {
    name_ = name;
    setAccessibleName(tr("Pinned scenario %1: %2").arg(pin_letter(index_), name));
    setToolTip(name);
    update();
}

void PinRow::set_compared(bool compared) {
    compared_ = compared;
    update();
}

QSize PinRow::sizeHint() const { return {220, space::control_height}; }
QSize PinRow::minimumSizeHint() const { return {120, space::control_height}; }

void PinRow::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    draw_box(painter, QRectF(rect()), {},
             hasFocus()  ? t.accent
             : compared_ ? t.control_border
                         : t.card_border,
             space::control_radius);
    QPen pen(t.pin, 1.5);
    QVector<qreal> dashes = pin_dashes(index_);
    for (qreal& dash : dashes) dash /= pen.widthF();  // Qt counts dashes in pen widths
    pen.setDashPattern(dashes);
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    const qreal middle = height() / 2.0;
    painter.drawLine(QPointF(9, middle), QPointF(30, middle));
    draw_text(painter, QRectF(36, 0, 14, height()), Qt::AlignLeft | Qt::AlignVCenter, pin_letter(index_), type::title(),
              t.text);
    const int buttons = findChild<QToolButton*>()->x();  // larger ones for fingers
    draw_text(painter, QRectF(53, 0, buttons - 53 - 4, height()), Qt::AlignLeft | Qt::AlignVCenter, name_,
              type::table(), compared_ ? t.text : t.secondary);
}

void PinRow::set_ends(bool first, bool last) {
    first_ = first;
    last_ = last;
}

void PinRow::keyPressEvent(QKeyEvent* event) {
    const bool alt = event->modifiers().testFlag(Qt::AltModifier);
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space: emit clicked(); return;
        case Qt::Key_F2: emit rename_clicked(); return;
        case Qt::Key_Delete: emit unpin_clicked(); return;
        case Qt::Key_Up:
            if (alt && !first_) emit move_asked(-1);
            if (alt) return;
            break;
        case Qt::Key_Down:
            if (alt && !last_) emit move_asked(1);
            if (alt) return;
            break;
        default: break;
    }
    QWidget::keyPressEvent(event);
}

void PinRow::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Compare with it"), this, &PinRow::clicked);
    menu->addAction(tr("Rename…"), this, &PinRow::rename_clicked);
    menu->addAction(tr("Swap with the present scenario"), this, &PinRow::swap_clicked);
    menu->addSeparator();
    menu->addAction(tr("Move up"), this, [this] { emit move_asked(-1); })->setEnabled(!first_);
    menu->addAction(tr("Move down"), this, [this] { emit move_asked(1); })->setEnabled(!last_);
    menu->addSeparator();
    menu->addAction(tr("Unpin"), this, &PinRow::unpin_clicked);
    menu->popup(event->globalPos());
}

void PinRow::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}
void PinRow::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void PinRow::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->pos())) emit clicked();
}

}  // namespace scalescope::ui
