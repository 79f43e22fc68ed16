// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPointF>
#include <QRectF>
#include <vector>

#include "ui/charts/scale.hpp"

class QPainter;

namespace scalescope::ui {

struct Theme;

/// Work in one lane of a strip, in the unit of its axis.
struct StripBar {
    int lane = 0;
    double from = 0.0, to = 0.0;
    QRgb colour = 0;
};

/// Lanes with all their work, a pixel high each: a pixel has the mean colour of what it covers, the ground's where
/// there is nothing.
QImage strip_lanes(const std::vector<StripBar>& bars, int lanes, const Range& all, int width, QRgb ground);

/// All of an axis in a strip, with a window over what a chart shows of it. The window is dragged, or an end of it; a
/// drag beside it draws another, and a click beside it brings it there.
class ZoomStrip {
public:
    /// An empty `place` hides the strip.
    void arrange(const QRectF& place, const Range& all, const Range& shown);
    const QRectF& place() const { return place_; }
    QRectF window() const;
    double px(double value) const { return map().px(value); }

    /// Whether something is there to take hold of.
    bool take_hold(QPointF at);
    /// What is to be shown with the hand there.
    Range dragged_to(QPointF at);
    /// The same when it lets go.
    Range let_go();
    Qt::CursorShape cursor_at(QPointF at) const;

    void paint_window(QPainter& painter, const Theme& theme) const;

private:
    enum class Part { none, lower_end, upper_end, window, ground };
    Part part_at(QPointF at) const;
    AxisMap map() const { return {all_, place_.left(), place_.right(), false}; }

    QRectF place_;
    Range all_, shown_, result_;
    Part held_ = Part::none;
    QPointF pressed_;
    Range held_from_;  ///< shown when the hand took hold
    bool moved_ = false;
};

}  // namespace scalescope::ui
