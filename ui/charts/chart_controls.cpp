// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_controls.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/theme/comfort.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {

CornerButton::CornerButton(const char* icon, const QString& name, QWidget* parent)
    : QAbstractButton(parent), icon_(icon) {
    setToolTip(name);
    setAccessibleName(name);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::ArrowCursor);
    resize(sizeHint());
}

QSize CornerButton::sizeHint() const {
    const int side = Px{touch_size};
    return large_controls() ? QSize(side, side) : QSize(22, 24);
}

void CornerButton::set_floating(bool floating) {
    if (floating == floating_) return;
    floating_ = floating;
    update();
}

void CornerButton::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (floating_ || isDown() || underMouse()) {
        painter.setPen(floating_ ? QPen(t.card_border, 1) : QPen(Qt::NoPen));
        painter.setBrush(isDown() ? t.pressed : underMouse() ? t.hover : t.card);
        painter.drawRoundedRect(QRectF(rect()).adjusted(.5, 1.5, -.5, -1.5), 4, 4);
    }
    const QColor colour = underMouse() || hasFocus() ? t.text : t.secondary;
    const double side = 16.0;
    draw_icon(painter, icon_, QRectF((width() - side) / 2, (height() - side) / 2, side, side), colour);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(t.accent, 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
}

ThinScrollBar::ThinScrollBar(QWidget* parent) : QAbstractSlider(parent) {
    setOrientation(Qt::Horizontal);
    setFocusPolicy(Qt::NoFocus);  // the chart's own keys scroll
    setAccessibleName(tr("Scroll along the layers"));
    resize(100, height_px);
}

QRectF ThinScrollBar::thumb() const {
    const double total = maximum() - minimum() + pageStep();
    if (total <= 0.0) return {};
    const double length = std::max(24.0, width() * pageStep() / total);
    const double free = width() - length;
    const double span = maximum() - minimum();
    const double left = span > 0.0 ? free * (value() - minimum()) / span : 0.0;
    return {left, 3.0, length, 4.0};
}

void ThinScrollBar::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.pressed);
    painter.drawRoundedRect(QRectF(0, 3, width(), 4), 2, 2);
    painter.setBrush(isSliderDown() || underMouse() ? t.secondary : t.ideal);
    painter.drawRoundedRect(thumb(), 2, 2);
}

void ThinScrollBar::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const QRectF now = thumb();
    const double x = event->position().x();
    grabbed_at_ = x >= now.left() && x <= now.right() ? x - now.left() : now.width() / 2;
    setSliderDown(true);
    mouseMoveEvent(event);
}

void ThinScrollBar::mouseMoveEvent(QMouseEvent* event) {
    if (!isSliderDown()) return;
    const double free = width() - thumb().width();
    if (free <= 0.0) return;
    const double share = std::clamp((event->position().x() - grabbed_at_) / free, 0.0, 1.0);
    setValue(minimum() + qRound(share * (maximum() - minimum())));
}

void ThinScrollBar::mouseReleaseEvent(QMouseEvent*) {
    setSliderDown(false);
    update();
}

}  // namespace scalescope::ui
