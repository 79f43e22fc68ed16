// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot.hpp"
//
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLineF>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/charts/chart.hpp"

/// What hands do with a chart: legend, zoom, pan, keys.
namespace scalescope::ui {
namespace {

constexpr double zoom_step = 0.8, pan_slack = 4.0;

double to_axis(double v, bool logarithmic) { return logarithmic ? std::log(v) : v; }
double from_axis(double v, bool logarithmic) { return logarithmic ? std::exp(v) : v; }

/// Moves `r` into `all`, and makes it no larger than that and no smaller than `least`.
Range fitted(Range r, const Range& all, double least, bool logarithmic) {
    const double from = to_axis(all.lower, logarithmic), to = to_axis(all.upper, logarithmic);
    double lower = to_axis(r.lower, logarithmic), upper = to_axis(r.upper, logarithmic);
    const double shortest = std::min(logarithmic ? std::log(std::max(least, 1.0)) : least, to - from);
    if (upper - lower < shortest) {
        const double middle = (lower + upper) / 2;
        lower = middle - shortest / 2, upper = middle + shortest / 2;
    }
    const double size = std::min(upper - lower, to - from);
    lower = std::clamp(lower, from, to - size);
    return {from_axis(lower, logarithmic), from_axis(lower + size, logarithmic)};
}

bool same(const Range& a, const Range& b) {
    const double slack = 1e-9 * std::max(std::abs(b.upper), std::abs(b.lower));
    return std::abs(a.lower - b.lower) <= slack && std::abs(a.upper - b.upper) <= slack;
}

}  // namespace

Range Chart::shown_x() const {
    const Extent e = extent();
    return chosen_x_ ? fitted(*chosen_x_, e.all, e.least, x_map_.logarithmic) : e.home;
}

void Chart::show_x(Range range) { set_ranges(range, chosen_y_); }

void Chart::set_ranges(std::optional<Range> x, std::optional<Range> y) {
    const Extent e = extent();
    if (x) {
        x = fitted(*x, e.all, e.least, x_map_.logarithmic);
        if (same(*x, e.home)) x.reset();
    }
    if (x == chosen_x_ && y == chosen_y_) return;
    chosen_x_ = x;
    chosen_y_ = y;
    emit view_changed();
}

ChartView Chart::view() const {
    QStringList hidden(hidden_.begin(), hidden_.end());
    hidden.sort();
    return {chosen_x_, chosen_y_, hidden};
}

void Chart::set_view(const ChartView& v) {
    if (v == view()) return;
    const auto usable = [](const std::optional<Range>& r) {
        return r && std::isfinite(r->lower) && std::isfinite(r->upper) && r->upper > r->lower;
    };
    chosen_x_ = usable(v.x) && (!x_map_.logarithmic || v.x->lower > 0) ? v.x : std::nullopt;
    chosen_y_ = usable(v.y) && (!y_map_.logarithmic || v.y->lower > 0) ? v.y : std::nullopt;
    hidden_ = QSet<QString>(v.hidden_series.begin(), v.hidden_series.end());
    emit view_changed();
}

void Chart::reset_view() { set_ranges(std::nullopt, std::nullopt); }

void Chart::zoom_by(double factor) {
    zoom_at(QRectF(plot_rect_).center(), factor, true, extent().zooming == Zooming::x_and_y);
}

void Chart::zoom_at(QPointF at, double factor, bool x, bool y) {
    if (!empty_text().isEmpty() || !(factor > 0.0)) return;
    const auto zoomed = [factor](const AxisMap& map, double px) {
        return Range{map.value(px + (map.from_px - px) * factor), map.value(px + (map.to_px - px) * factor)};
    };
    std::optional<Range> new_x = chosen_x_, new_y = chosen_y_;
    if (x) new_x = zoomed(x_map_, std::clamp(at.x(), x_map_.from_px, x_map_.to_px));
    if (y && extent().zooming == Zooming::x_and_y) {
        new_y = zoomed(y_map_, std::clamp(at.y(), y_map_.to_px, y_map_.from_px));
        // Zoomed out as far as x goes: both follow the data again.
        if (same(fitted(*new_x, extent().all, extent().least, x_map_.logarithmic), extent().home) && factor > 1.0)
            new_y.reset();
    } else if (y) {
        const double upper = y_map_.range.upper * factor;
        new_y = upper >= y_top_ ? std::nullopt : std::optional<Range>({0.0, std::max(upper, y_top_ * 1e-4)});
    }
    set_ranges(new_x, new_y);
}

void Chart::pan_by(QPointF pixels) {
    std::optional<Range> y = chosen_y_;
    if (y && extent().zooming == Zooming::x_and_y)
        y = Range{y_map_.value(y_map_.from_px - pixels.y()), y_map_.value(y_map_.to_px - pixels.y())};
    set_ranges(Range{x_map_.value(x_map_.from_px - pixels.x()), x_map_.value(x_map_.to_px - pixels.x())}, y);
}

QStringList Chart::series() const {
    QStringList keys;
    for (const LegendEntry& entry : legend(look())) keys << entry.key;
    return keys;
}

void Chart::hide_series(const QString& key, bool hidden) {
    if (hidden == hidden_.contains(key)) return;
    if (hidden)
        hidden_.insert(key);
    else
        hidden_.remove(key);
    emit view_changed();
}

void Chart::isolate_series(const QString& key) {
    QSet<QString> others;
    for (const QString& other : series())
        if (other != key) others.insert(other);
    const bool alone = hidden_.contains(others) && !hidden_.contains(key);
    hidden_ = alone ? QSet<QString>() : others;
    emit view_changed();
}

void Chart::hover_legend(const QString& key) {
    if (key == hovered_key_) return;
    hovered_key_ = key;
    schedule();
}

void Chart::set_hovered_item(int index) {
    if (std::exchange(hovered_item_, index) != index) schedule();
}

void Chart::hover(QPointF at) {
    const int item = item_at(at);
    if (item != hovered_item_) {
        set_hovered_item(item);
        item_hovered(item);
    }
    const TooltipText text = item < 0 ? TooltipText() : tooltip_of(item);
    if (text == TooltipText())
        say_nothing();
    else
        say(text, at);
}

void Chart::leave() {
    if (hovered_item_ < 0) return;
    set_hovered_item(-1);
    item_hovered(-1);
}

void Chart::click(QPointF at) {
    if (const int item = item_at(at); item >= 0 && can_choose(item)) choose(item);
}

Qt::CursorShape Chart::cursor_at(QPointF at) const {
    const int item = item_at(at);
    return item >= 0 && can_choose(item) ? Qt::PointingHandCursor : Qt::ArrowCursor;
}

bool Chart::use_key(int key, Qt::KeyboardModifiers) {
    if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) {
        if (hovered_item_ < 0 || !can_choose(hovered_item_)) return false;
        choose(hovered_item_);
        return true;
    }
    const int item = item_by_key(key);
    if (item < 0) return false;
    set_hovered_item(item);
    say(tooltip_of(item), item_place(item));
    return true;
}

void Chart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const QPointF at = event->position();
    pressed_at_ = last_at_ = at;
    if (title_row_.entry_at(at))
        hand_ = Hand::on_legend;
    else if (empty_text().isEmpty() && take_hold(at))
        hand_ = Hand::grabbing;
    else
        hand_ = Hand::pressed;
    if (hand_ == Hand::grabbing) say_nothing();
}

void Chart::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    switch (hand_) {
        case Hand::free: {
            const bool near_title = at.y() < TitleRow::height + 32;
            if (near_title != pointer_near_title_) {
                pointer_near_title_ = near_title;
                place_buttons();
            }
            const LegendEntry* entry = title_row_.entry_at(at);
            hover_legend(entry ? entry->key : QString());
            const bool drawn = empty_text().isEmpty() && !table_shown();
            setCursor(entry ? Qt::PointingHandCursor : drawn ? cursor_at(at) : Qt::ArrowCursor);
            if (entry || !drawn) {
                leave();
                say_nothing();
            } else {
                hover(at);
            }
            break;
        }
        case Hand::on_legend: break;
        case Hand::grabbing: drag_to(at); break;
        case Hand::pressed: {
            const bool can_pan = !same(x_map_.range, extent().all) || chosen_y_;
            if (!can_pan || !(event->buttons() & Qt::LeftButton)) break;
            if (QLineF(at, pressed_at_).length() < pan_slack) break;
            hand_ = Hand::panning;
            say_nothing();
            setCursor(Qt::ClosedHandCursor);
            [[fallthrough]];
        }
        case Hand::panning:
            pan_by(at - last_at_);
            last_at_ = at;
            prepare();  // the next move is measured on the moved axes
            break;
    }
}

void Chart::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const Hand was = std::exchange(hand_, Hand::free);
    const QPointF at = event->position();
    if (was == Hand::on_legend) {
        const LegendEntry* pressed = title_row_.entry_at(pressed_at_);
        const LegendEntry* released = title_row_.entry_at(at);
        if (!pressed || pressed != released) return;
        hidden_before_click_ = hidden_;
        const QString key = pressed->key;
        hide_series(key, !hidden_.contains(key));
    } else if (was == Hand::grabbing) {
        let_go();
    } else if (was == Hand::panning) {
        setCursor(cursor_at(at));
    } else if (was == Hand::pressed && QLineF(at, pressed_at_).length() < pan_slack && empty_text().isEmpty()) {
        click(at);
    }
}

void Chart::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    hand_ = Hand::free;
    if (const LegendEntry* entry = title_row_.entry_at(event->position())) {
        const QString key = entry->key;
        hidden_ = hidden_before_click_;  // the first click of the two has toggled the series
        isolate_series(key);
    } else {
        reset_view();
    }
}

void Chart::wheelEvent(QWheelEvent* event) {
    if (!empty_text().isEmpty() || table_shown()) return event->ignore();
    const QPoint angle = event->angleDelta();
    const bool sideways = std::abs(angle.x()) > std::abs(angle.y()) || event->modifiers() & Qt::ShiftModifier;
    if (sideways) {
        const double notches = (angle.x() != 0 ? angle.x() : angle.y()) / 120.0;
        pan_by(QPointF(notches * plot_rect_.width() / 8.0, 0));
    } else if (angle.y() != 0) {
        const double factor = std::pow(zoom_step, angle.y() / 120.0);
        const bool only_y = event->modifiers() & Qt::ControlModifier;
        const Extent e = extent();
        if (only_y && e.zooming == Zooming::x_only && !e.y_zooms) return event->ignore();
        zoom_at(event->position(), factor, !only_y, only_y || e.zooming == Zooming::x_and_y);
    }
    prepare();  // several notches may come before the next painting, each measured on the axes as they are then
    say_nothing();
    event->accept();
}

void Chart::leaveEvent(QEvent*) {
    pointer_near_title_ = false;
    hover_legend({});
    leave();
    say_nothing();
    place_buttons();
}

void Chart::keyPressEvent(QKeyEvent* event) {
    const bool menu =
        event->key() == Qt::Key_Menu || (event->key() == Qt::Key_F10 && event->modifiers() & Qt::ShiftModifier);
    if (menu) return open_menu(mapToGlobal(QPoint(TitleRow::margin, TitleRow::height)), true);
    if (event->matches(QKeySequence::Copy)) return copy_data();
    if (empty_text().isEmpty() && use_key(event->key(), event->modifiers())) return prepare();
    switch (event->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal: zoom_by(zoom_step); break;
        case Qt::Key_Minus: zoom_by(1 / zoom_step); break;
        case Qt::Key_0: reset_view(); break;
        case Qt::Key_PageDown: pan_by(QPointF(-plot_rect_.width() * 0.9, 0)); break;
        case Qt::Key_PageUp: pan_by(QPointF(plot_rect_.width() * 0.9, 0)); break;
        case Qt::Key_Escape:
            if (table_shown())
                show_table(false);
            else if (tooltip_text().isEmpty())
                return QWidget::keyPressEvent(event);
            say_nothing();
            break;
        default: QWidget::keyPressEvent(event); return;
    }
    prepare();
}

void Chart::focusInEvent(QFocusEvent* event) {
    const Qt::FocusReason why = event->reason();
    focus_ring_ = why == Qt::TabFocusReason || why == Qt::BacktabFocusReason || why == Qt::ShortcutFocusReason;
    update();
}

void Chart::focusOutEvent(QFocusEvent*) {
    focus_ring_ = false;
    say_nothing();
    update();
}

void Chart::contextMenuEvent(QContextMenuEvent* event) {
    // The menu key already opened it from keyPressEvent.
    if (event->reason() != QContextMenuEvent::Keyboard) open_menu(event->globalPos(), true);
}

}  // namespace scalescope::ui
