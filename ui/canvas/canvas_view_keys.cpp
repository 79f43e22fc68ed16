// SPDX-License-Identifier: GPL-3.0-or-later
// What the keyboard does on the canvas.
#include <QKeyEvent>
#include <cmath>

#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"

namespace scalescope::ui {
namespace {

constexpr int page_overlap = 60;  // what stays in sight when a page is turned

}  // namespace

void CanvasView::keyPressEvent(QKeyEvent* event) {
    if (border_key(event)) return;
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    const bool extend = event->modifiers().testFlag(Qt::ShiftModifier);
    const auto chosen = scene_.selected();
    switch (event->key()) {
        case Qt::Key_Space:
            if (event->isAutoRepeat()) return;
            space_ = true;
            viewport()->setCursor(Qt::OpenHandCursor);
            return;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            if (control) return zoom_by(notch);
            for (const auto& path : chosen)
                if (!scene_.is_open(path)) toggle(path);
            return;
        case Qt::Key_Minus:
            if (control) return zoom_by(1 / notch);
            for (const auto& path : chosen)
                if (scene_.is_open(path)) toggle(path);
            return;
        case Qt::Key_0:
            if (control) return set_zoom(1);
            break;
        case Qt::Key_F:
            if (control) return emit find_asked();
            return fit();
        case Qt::Key_A:
            if (!control) break;
            {
                std::vector<std::string> all;
                for (const BoxItem* b : scene_.boxes())
                    if (b->shown().kind != BoxLook::Kind::open) all.push_back(scene_.item_of(*b).path);
                scene_.select(all);
            }
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (chosen.empty()) return;
            if (const BoxItem* b = scene_.box(chosen.front()); b && scene_.item_of(*b).is_layer())
                return emit box_activated(QString::fromStdString(chosen.front()));
            return toggle(chosen.front());
        case Qt::Key_Escape:
            if (chosen.empty() && scene_.selected_connections().empty()) break;
            return scene_.select({});
        case Qt::Key_Left: return walk(-1, 0, extend);
        case Qt::Key_Right: return walk(1, 0, extend);
        case Qt::Key_Up: return walk(0, -1, extend);
        case Qt::Key_Down: return walk(0, 1, extend);
        case Qt::Key_PageUp: return pan_by({0, viewport()->height() - page_overlap});
        case Qt::Key_PageDown: return pan_by({0, page_overlap - viewport()->height()});
        case Qt::Key_Home:
            if (scene_.boxes().empty()) return;
            scene_.select({scene_.item_of(*scene_.boxes().front()).path});
            return show_box(*scene_.boxes().front());
        case Qt::Key_End:
            if (scene_.boxes().empty()) return;
            scene_.select({scene_.item_of(*scene_.boxes().back()).path});
            return show_box(*scene_.boxes().back());
        default: break;
    }
    // What nobody uses here belongs to the window: arrows and pages are used above.
    event->ignore();
}

void CanvasView::keyReleaseEvent(QKeyEvent* event) {
    if (hand_ != Hand::dividing && !event->isAutoRepeat()) let_border_go(true);  // a key held it
    if (event->key() != Qt::Key_Space || event->isAutoRepeat()) return event->ignore();
    space_ = false;
    if (hand_ == Hand::free) viewport()->setCursor(Qt::ArrowCursor);
}

/// To the nearest box that way, where what lies straight ahead is nearer than what lies aside.
void CanvasView::walk(int dx, int dy, bool extend) {
    auto chosen = scene_.selected();
    const BoxItem* from = chosen.empty() ? nullptr : scene_.box(dy > 0 || dx > 0 ? chosen.back() : chosen.front());
    const BoxItem* best = nullptr;
    double least = 0;
    const auto middle = [](const BoxItem& b) { return QRectF(b.pos(), b.size()).center(); };
    for (const BoxItem* b : scene_.boxes()) {
        if (b == from) continue;
        double distance = 0;
        if (from) {
            const QPointF by = middle(*b) - middle(*from);
            const double ahead = dx * by.x() + dy * by.y(), aside = std::abs(dy * by.x()) + std::abs(dx * by.y());
            if (ahead <= 1 || (dx != 0 && aside > 30)) continue;
            distance = ahead + 2 * aside;
        }
        if (best && distance >= least) continue;
        best = b;
        least = distance;
        if (!from) break;
    }
    if (!best) return;
    const std::string path = scene_.item_of(*best).path;
    if (!extend) chosen.clear();
    chosen.push_back(path);
    scene_.select(chosen);
    if (const BoxItem* b = scene_.box(path)) show_box(*b);
}

void CanvasView::focusInEvent(QFocusEvent* event) {
    QGraphicsView::focusInEvent(event);
    focus_ring_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    viewport()->update();
}

void CanvasView::focusOutEvent(QFocusEvent* event) {
    QGraphicsView::focusOutEvent(event);
    focus_ring_ = space_ = false;
    if (hand_ != Hand::dividing) let_border_go(true);
    focus_border(-1);
    viewport()->update();
}

}  // namespace scalescope::ui
