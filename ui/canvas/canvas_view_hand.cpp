// SPDX-License-Identifier: GPL-3.0-or-later
// What the hand does on the canvas: mouse, wheel, fingers, and what is dragged onto it.
#include <QGestureEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <cmath>
#include <utility>

#include "ui/canvas/border_item.hpp"
#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_tips.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/canvas/palette.hpp"
#include "ui/canvas/wire_item.hpp"
#include "ui/charts/chart_tooltip.hpp"
#include "ui/theme/comfort.hpp"

namespace scalescope::ui {
namespace {

/// A finger's place is known less well, but what lies above the port is the box.
bool on_port(QPoint at, QPoint port) {
    if (!large_controls()) return (at - port).manhattanLength() <= 8;
    return std::abs(at.x() - port.x()) <= touch_size / 2 && at.y() >= port.y() - 8 &&
           at.y() <= port.y() + touch_size / 2;
}

}  // namespace

void CanvasView::wheelEvent(QWheelEvent* event) {
    tooltip_->hide();
    // Two fingers push the paper; a wheel comes nearer, and Ctrl makes either zoom, Shift either go across.
    const bool fingers =
        !event->pixelDelta().isNull() || event->pointingDevice()->type() == QInputDevice::DeviceType::TouchPad;
    const bool zooms = event->modifiers().testFlag(Qt::ControlModifier) ||
                       (!fingers && !event->modifiers().testFlag(Qt::ShiftModifier));
    if (zooms) {
        const double notches = event->angleDelta().y() / 120.0;
        zoom_at(event->position().toPoint(), zoom() * std::pow(notch, notches));
    } else {
        QPoint by = event->pixelDelta().isNull() ? event->angleDelta() / 2 : event->pixelDelta();
        if (event->modifiers().testFlag(Qt::ShiftModifier) && by.x() == 0) by = by.transposed();
        pan_by(by);
    }
    event->accept();
}

void CanvasView::mousePressEvent(QMouseEvent* event) {
    tooltip_->hide();
    const QPoint at = event->position().toPoint();
    last_ = at;
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && space_)) {
        hand_ = Hand::panning;
        viewport()->setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (large_controls() && event->button() == Qt::LeftButton) {  // a finger was nowhere before
        hover(at);
        tooltip_->hide();
    }
    if (event->button() == Qt::LeftButton)
        if (const BorderItem* border = border_at(at)) return take_border(*border, at);
    focus_border(-1);
    if (event->button() == Qt::LeftButton && zoom() >= BoxItem::readable && !hovered_.empty())
        if (const BoxItem* box = scene_.box(hovered_); box && on_port(at, port_of(*box))) {
            hand_ = Hand::connecting;
            from_ = hovered_;
            viewport()->setCursor(Qt::CrossCursor);
            return;
        }
    if (event->button() == Qt::LeftButton)
        if (BoxItem* box = box_at(at); box && box->on_sign(box->mapFromScene(mapToScene(at)))) {
            hand_ = Hand::on_sign;
            toggle(scene_.item_of(*box).path);
            return;
        }
    if (event->button() == Qt::RightButton) {  // what is under the hand is what the menu is about
        if (BoxItem* box = box_at(at); box && !box->isSelected()) scene_.select({scene_.item_of(*box).path});
        return;
    }
    QGraphicsView::mousePressEvent(event);
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (hand_ == Hand::panning) {
        pan_by(at - last_);
        last_ = at;
        return;
    }
    last_ = at;
    if (hand_ == Hand::on_sign) return;
    if (hand_ == Hand::dividing) return drag_border(at);
    if (hand_ == Hand::connecting) {
        light_target(at);
        viewport()->update();
        return;
    }
    QGraphicsView::mouseMoveEvent(event);
    if (event->buttons() == Qt::NoButton) hover(at);
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
    if (hand_ != Hand::free) {
        const Hand was = std::exchange(hand_, Hand::free);
        if (was == Hand::dividing) {
            let_border_go(true);
            return hover(event->position().toPoint());
        }
        const BoxItem* to = was == Hand::connecting ? box_at(event->position().toPoint()) : nullptr;
        light_target({-1, -1});
        viewport()->update();
        if (to && scene_.item_of(*to).path != from_)
            emit connect_asked(QString::fromStdString(from_), QString::fromStdString(scene_.item_of(*to).path));
        viewport()->setCursor(space_ ? Qt::OpenHandCursor : Qt::ArrowCursor);
        return;
    }
    QGraphicsView::mouseReleaseEvent(event);
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && border_at(event->position().toPoint())) {
        hand_ = Hand::on_sign;  // until the button is up
        return emit border_freed();
    }
    BoxItem* box = box_at(event->position().toPoint());
    if (!box || event->button() != Qt::LeftButton) return;
    const drawing::Item& item = scene_.item_of(*box);
    const std::string path = item.path;
    if (box->on_sign(box->mapFromScene(mapToScene(event->position().toPoint())))) {  // two clicks on it are two clicks
        hand_ = Hand::on_sign;
        return toggle(path);
    }
    if (item.is_layer())
        emit box_activated(QString::fromStdString(path));
    else
        toggle(path);
}

/// The box or wire under a hand that brings something.
void CanvasView::light_target(QPoint at) {
    const BoxItem* box = box_at(at);
    for (BoxItem* b : scene_.boxes()) b->set_hovered(b == box);
    const WireItem* wire = box || hand_ == Hand::connecting ? nullptr : wire_at(at);
    for (WireItem* w : scene_.wires()) w->set_hovered(w == wire);
}

void CanvasView::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasFormat(QLatin1String(kind_mime))) return event->acceptProposedAction();
    event->ignore();  // files are the window's
}

void CanvasView::dragMoveEvent(QDragMoveEvent* event) {
    light_target(event->position().toPoint());
    event->acceptProposedAction();
}

void CanvasView::dragLeaveEvent(QDragLeaveEvent*) { light_target({-1, -1}); }

void CanvasView::dropEvent(QDropEvent* event) {
    const QPoint at = event->position().toPoint();
    const BoxItem* box = box_at(at);
    const WireItem* wire = box ? nullptr : wire_at(at);
    const QString path = box ? QString::fromStdString(scene_.item_of(*box).path) : QString();
    const int index = wire ? wire->index() : -1;
    light_target({-1, -1});
    event->acceptProposedAction();
    emit kind_dropped(QString::fromUtf8(event->mimeData()->data(QLatin1String(kind_mime))), index, path);
}

void CanvasView::hover(QPoint at) {
    const BorderItem* border = border_at(at);
    const int number = border ? border->border().number : -1;
    if (std::exchange(hovered_border_, number) != number) {
        mark_borders();
        viewport()->setCursor(number < 0                         ? (space_ ? Qt::OpenHandCursor : Qt::ArrowCursor)
                              : border->border().allowed.empty() ? Qt::ForbiddenCursor
                                                                 : Qt::SplitVCursor);
    }
    BoxItem* box = border ? nullptr : box_at(at);
    if (!box && !hovered_.empty())  // half of the port lies below its box
        if (BoxItem* last = scene_.box(hovered_); last && on_port(at, port_of(*last))) box = last;
    const std::string path = box ? scene_.item_of(*box).path : std::string();
    if (path != hovered_) {
        hovered_ = path;
        for (BoxItem* b : scene_.boxes()) b->set_hovered(b == box);
        viewport()->update();
        emit hovered(QString::fromStdString(path));
    }
    if (border)
        tooltip_->show_text(border->border().tip, at);
    else
        tell(box, at);
}

void CanvasView::tell(const BoxItem* box, QPoint at) {
    if (box && (box->shown().kind != BoxLook::Kind::open || box->on_sign(box->mapFromScene(mapToScene(at)))))
        tooltip_->show_text(canvas_tip(scene_, *box), at);
    else
        tooltip_->hide();
}

void CanvasView::leaveEvent(QEvent* event) {
    QGraphicsView::leaveEvent(event);
    hover({-1, -1});
}

bool CanvasView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::NativeGesture) {
        auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            zoom_at(gesture->position().toPoint(), zoom() * (1 + gesture->value()));
            return true;
        }
    }
    if (event->type() == QEvent::Gesture)  // two fingers on a screen rather than on a pad
        if (auto* pinch = static_cast<QPinchGesture*>(static_cast<QGestureEvent*>(event)->gesture(Qt::PinchGesture))) {
            zoom_at(viewport()->mapFromGlobal(pinch->centerPoint().toPoint()), zoom() * pinch->scaleFactor());
            pan_by((pinch->centerPoint() - pinch->lastCenterPoint()).toPoint());
            static_cast<QGestureEvent*>(event)->accept(pinch);
            return true;
        }
    return QGraphicsView::viewportEvent(event);
}

void CanvasView::contextMenuEvent(QContextMenuEvent* event) {
    tooltip_->hide();
    const auto chosen = scene_.selected();
    QPoint at = event->globalPos();
    if (event->reason() == QContextMenuEvent::Keyboard) {
        const BoxItem* box = chosen.empty() ? nullptr : scene_.box(chosen.front());
        at = viewport()->mapToGlobal(box ? mapFromScene(box->pos()) : viewport()->rect().center());
    }
    emit menu_asked(at);
}

}  // namespace scalescope::ui
