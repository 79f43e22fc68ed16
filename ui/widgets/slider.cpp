// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/slider.hpp"

#include <QAccessible>
#include <QKeyEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/theme/comfort.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr PxF groove_height{4};

qreal handle_size() { return (large_controls() ? 28 : 16) * type_scale(); }

}  // namespace

Slider::Slider(QWidget* parent) : QWidget(parent) {
    install_accessibility();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Slider::set_value(int value) {
    value = std::clamp(value, minimum_, maximum_);
    if (value == value_) return;
    value_ = value;
    update();
    QAccessibleValueChangeEvent event(this, value_);
    QAccessible::updateAccessibility(&event);
}

void Slider::set_range(int minimum, int maximum) {
    minimum_ = minimum;
    maximum_ = std::max(minimum_ + 1, maximum);
    set_value(value_);
    update();
}

void Slider::choose(int value) {
    const int before = value_;
    set_value(value);
    if (value_ != before) emit value_changed(value_);
}

QString Slider::value_text() const { return QString::number(value_); }

QRectF Slider::groove() const {
    const int side = side_margin();
    return QRectF(side, hit_height() / 2.0 - groove_height / 2, std::max(1, width() - 2 * side), groove_height);
}

qreal Slider::x_of(int value) const {
    const QRectF g = groove();
    return g.left() + g.width() * fraction_of(std::clamp(value, minimum_, maximum_));
}

int Slider::hit_height() { return space::control_height; }

QSize Slider::sizeHint() const { return {120, hit_height()}; }
QSize Slider::minimumSizeHint() const { return {60, hit_height()}; }

void Slider::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF g = groove();
    const qreal x = x_of(value_);
    const bool on = isEnabled();
    draw_box(painter, g, t.control_border, {}, groove_height / 2);
    draw_box(painter, QRectF(g.left(), g.top(), std::max<qreal>(0, x - g.left()), g.height()),
             on ? t.accent : t.accent_off, {}, groove_height / 2);
    const QPointF middle(x, g.center().y());
    const qreal r = handle_size() / 2;
    if (on && focus_ring_ && !dragging_) {
        QColor halo = t.accent;
        halo.setAlphaF(0.45F);
        painter.setPen(QPen(halo, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(middle, r + 2, r + 2);
    }
    painter.setPen(QPen(on ? t.accent : t.control_border, 2));
    painter.setBrush(!on ? t.window : dragging_ ? t.accent : hover_ ? t.selection : t.control);
    painter.drawEllipse(middle, r - 1, r - 1);
}

void Slider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || dragging_) return event->ignore();
    const QPointF at = event->position();
    const double from_handle = at.x() - x_of(value_);
    dragging_ = true;
    before_drag_ = value_;
    emit drag_started();
    // Taking the handle beside its middle must not move it; the groove brings the handle under the pointer.
    if (std::abs(from_handle) <= handle_size() / 2 && at.y() <= hit_height()) {
        grip_ = from_handle;
    } else {
        grip_ = 0;
        const int exact = exact_value_at(at);
        choose(exact > 0 ? exact : value_at((at.x() - groove().left()) / groove().width()));
    }
    update();
    event->accept();
}

void Slider::mouseMoveEvent(QMouseEvent* event) {
    if (!dragging_) {
        const QPointF at = event->position();
        set_hover(std::abs(at.x() - x_of(value_)) <= handle_size() / 2 + 2 && at.y() <= hit_height());
        return event->ignore();
    }
    choose(value_at((event->position().x() - grip_ - groove().left()) / groove().width()));
}

void Slider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !dragging_) return event->ignore();
    finish_drag();
}

void Slider::finish_drag() {
    if (!dragging_) return;
    dragging_ = false;
    update();
    emit drag_finished();
}

void Slider::wheelEvent(QWheelEvent* event) {
    // A panel that scrolls under the pointer must not change a number: the wheel counts on the slider in use only.
    if (!hasFocus() || dragging_) return event->ignore();
    const QPoint delta = event->angleDelta();
    wheel_rest_ += (delta.y() != 0 ? delta.y() : delta.x()) / 120.0;
    while (std::abs(wheel_rest_) >= 1) {
        const int direction = wheel_rest_ > 0 ? 1 : -1;
        wheel_rest_ -= direction;
        choose(notch_from(value_, direction));
    }
    event->accept();
}

void Slider::keyPressEvent(QKeyEvent* event) {
    if (dragging_) {
        if (event->key() != Qt::Key_Escape) return event->ignore();
        choose(before_drag_);
        return finish_drag();
    }
    const int toward_end = layoutDirection() == Qt::RightToLeft ? -1 : 1;
    switch (event->key()) {
        case Qt::Key_Right: choose(value_ + toward_end); break;
        case Qt::Key_Left: choose(value_ - toward_end); break;
        case Qt::Key_Up:
        case Qt::Key_Plus: choose(value_ + 1); break;
        case Qt::Key_Down:
        case Qt::Key_Minus: choose(value_ - 1); break;
        case Qt::Key_PageUp: choose(page_from(value_, 1)); break;
        case Qt::Key_PageDown: choose(page_from(value_, -1)); break;
        case Qt::Key_Home: choose(minimum_); break;
        case Qt::Key_End: choose(maximum_); break;
        default: return QWidget::keyPressEvent(event);
    }
    if (!focus_ring_) {
        focus_ring_ = true;  // the keyboard took over from the mouse
        update();
    }
}

void Slider::set_hover(bool hover) {
    if (hover == hover_) return;
    hover_ = hover;
    update();
}

void Slider::leaveEvent(QEvent* event) {
    set_hover(false);
    QWidget::leaveEvent(event);
}

void Slider::focusInEvent(QFocusEvent* event) {
    focus_ring_ = event->reason() != Qt::MouseFocusReason;
    update();
    QWidget::focusInEvent(event);
}

void Slider::focusOutEvent(QFocusEvent* event) {
    focus_ring_ = false;
    wheel_rest_ = 0;
    update();
    QWidget::focusOutEvent(event);
}

void Slider::changeEvent(QEvent* event) {
    if (event->type() == QEvent::EnabledChange && !isEnabled()) finish_drag();
    QWidget::changeEvent(event);
}

PercentSlider::PercentSlider(QWidget* parent) : Slider(parent) { set_range(1, 100); }

QString PercentSlider::value_text() const { return tr("%1 percent").arg(value()); }

double PercentSlider::fraction_of(int value) const {
    return static_cast<double>(value - minimum()) / (maximum() - minimum());
}

int PercentSlider::value_at(double fraction) const {
    return minimum() + static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * (maximum() - minimum())));
}

int PercentSlider::page_from(int value, int direction) const { return value + 10 * direction; }
int PercentSlider::notch_from(int value, int direction) const { return value + direction; }

}  // namespace scalescope::ui
