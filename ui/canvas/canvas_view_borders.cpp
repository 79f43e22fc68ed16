// SPDX-License-Identifier: GPL-3.0-or-later
// Borders between parts of the work, moved by hand and keys.
#include <QKeyEvent>
#include <QTimerEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/canvas/border_item.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/charts/chart_tooltip.hpp"
#include "ui/theme/comfort.hpp"

namespace scalescope::ui {
namespace {

/// How far from a line a hand still means it.
int reach() { return large_controls() ? touch_size / 2 : 5; }

constexpr int scroll_zone = 28, scroll_by = 14, scroll_every_ms = 30;

}  // namespace

BorderItem* CanvasView::border(int number) const {
    for (BorderItem* item : scene_.borders())
        if (number >= 0 && item->border().number == number) return item;
    return nullptr;
}

/// The nearest one in reach: several may run through one folded block.
BorderItem* CanvasView::border_at(QPoint at) const {
    const QPointF point = mapToScene(at);
    BorderItem* best = nullptr;
    double least = 0;
    for (BorderItem* item : scene_.borders()) {
        if (item->border().number < 0 || !item->takes(point, reach() / zoom())) continue;
        const double distance = item->tag_box().contains(point) ? 0 : std::abs(item->height_at(point.x()) - point.y());
        if (best && distance >= least) continue;
        best = item;
        least = distance;
    }
    return best;
}

void CanvasView::show_border() {
    const auto& all = scene_.borders();
    const auto first =
        std::find_if(all.begin(), all.end(), [](const BorderItem* item) { return item->border().number >= 0; });
    if (first == all.end()) return;
    const QPointF middle = mapToScene(viewport()->rect().center());
    const double y = (*first)->height_at(middle.x());
    if (std::abs(mapFromScene(QPointF(middle.x(), y)).y() - viewport()->height() / 2) < viewport()->height() / 3)
        return;
    centerOn(middle.x(), y);
    emit seen_changed();
}

void CanvasView::see_borders() { scene_.see_borders(zoom(), mapToScene(QPoint(0, 0)).x()); }

/// Items are made anew whenever a border moves: which of them is held or has the keyboard is known here.
void CanvasView::mark_borders() {
    if (focused_border_ >= 0 && !border(focused_border_)) focused_border_ = -1;
    see_borders();
    for (BorderItem* item : scene_.borders()) {
        const int number = item->border().number;
        item->set_held(number >= 0 && (number == held_border_ || (held_border_ < 0 && number == hovered_border_)));
        item->set_focused(number >= 0 && number == focused_border_);
    }
    say_selection();
    viewport()->update();
}

void CanvasView::focus_border(int number) {
    if (std::exchange(focused_border_, number) != number) mark_borders();
}

void CanvasView::take_border(const BorderItem& item, QPoint at) {
    const int number = item.border().number;
    focus_border(number);
    if (item.border().allowed.empty()) {
        hand_ = Hand::on_sign;  // it stays where it is
        return;
    }
    hand_ = Hand::dividing;
    may_scroll_ = false;  // who takes one at the edge does not mean to go on
    notches_ = drawing::notches(scene_.drawing(), scene_.hierarchy(), item.border().allowed, scene_.sketch()->size());
    const double x = mapToScene(at).x();
    grip_ = QPoint(0, mapFromScene(QPointF(x, item.height_at(x))).y() - at.y());
    if (item.tag_box().contains(mapToScene(at))) grip_ = {};
}

void CanvasView::drag_border(QPoint at) {
    const bool edge = at.y() < scroll_zone || at.y() > viewport()->height() - scroll_zone;
    if (!edge || !viewport()->rect().contains(at)) may_scroll_ = true;
    if (edge && may_scroll_ && !scroll_.isActive()) scroll_.start(scroll_every_ms, this);
    if (!edge) scroll_.stop();
    const BorderItem* item = border(focused_border_);
    const QPointF hand = mapToScene(at + grip_);
    const drawing::Notch* to = drawing::nearest(notches_, {hand.x(), hand.y()});
    if (!item || !to || to->position == item->border().at) return;
    if (std::exchange(held_border_, focused_border_) < 0) emit border_taken();
    emit border_moved(held_border_, to->position);
}

void CanvasView::timerEvent(QTimerEvent* event) {
    if (event->timerId() != scroll_.timerId()) return QGraphicsView::timerEvent(event);
    if (hand_ != Hand::dividing) return scroll_.stop();
    // There is nothing to be cut beyond the ends of the drawing.
    const QRectF all = scene_.sceneRect();
    const bool up = last_.y() < scroll_zone;
    const int end = mapFromScene(up ? all.topLeft() : all.bottomLeft()).y();
    if (up ? end >= scroll_zone : end <= viewport()->height() - scroll_zone) return scroll_.stop();
    pan_by({0, up ? scroll_by : -scroll_by});
    drag_border(last_);
}

void CanvasView::let_border_go(bool keep) {
    scroll_.stop();
    if (std::exchange(held_border_, -1) < 0) return;
    emit border_let_go(keep);
    mark_borders();
}

/// The borders come after the boxes, from top to bottom.
bool CanvasView::focusNextPrevChild(bool next) {
    std::vector<int> stops{-1};
    for (const BorderItem* item : scene_.borders())
        if (item->border().number >= 0) stops.push_back(item->border().number);
    const auto now = std::find(stops.begin(), stops.end(), focused_border_) - stops.begin();
    const auto to = now + (next ? 1 : -1);
    if (to < 0 || to >= static_cast<std::ptrdiff_t>(stops.size())) {
        focus_border(-1);
        return QGraphicsView::focusNextPrevChild(next);
    }
    focus_border(stops[static_cast<std::size_t>(to)]);
    if (const BorderItem* item = border(focused_border_))
        ensureVisible(QRectF(item->tag_box().center(), QSizeF(1, 1)), 40, 60);
    return true;
}

/// What the keyboard does with the border that has it, or with one under the hand.
bool CanvasView::border_key(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && hand_ == Hand::dividing) {
        hand_ = Hand::on_sign;  // until the button is up
        let_border_go(false);
        return true;
    }
    const BorderItem* item = border(focused_border_);
    if (!item || hand_ != Hand::free || event->modifiers().testFlag(Qt::ControlModifier)) return false;
    const CanvasBorder& b = item->border();
    const auto& may = b.allowed;
    const auto at = std::lower_bound(may.begin(), may.end(), b.at);
    auto to = at;
    switch (event->key()) {
        case Qt::Key_Up:
        case Qt::Key_Left:
            if (at != may.begin()) --to;
            break;
        case Qt::Key_Down:
        case Qt::Key_Right:
            if (at != may.end()) to = std::upper_bound(may.begin(), may.end(), b.at);
            break;
        case Qt::Key_Home: to = may.begin(); break;
        case Qt::Key_End:
            if (!may.empty()) to = may.end() - 1;
            break;
        case Qt::Key_Escape: focus_border(-1); return true;
        default: return false;
    }
    if (to == may.end() || *to == b.at) return true;
    if (std::exchange(held_border_, focused_border_) < 0) emit border_taken();
    emit border_moved(held_border_, *to);
    if (const BorderItem* moved = border(focused_border_))
        ensureVisible(QRectF(moved->tag_box().center(), QSizeF(1, 1)), 40, 60);
    return true;
}

}  // namespace scalescope::ui
