// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <vector>

#include "ui/charts/scale.hpp"

class QPainter;

namespace scalescope::ui {

struct Theme;

/// A worker count at which something changes: a thin line across a chart.
struct GuideLine {
    int workers = 1;
    QString label;     ///< few words
    QString sentence;  ///< tooltip
    QString brief{};   ///< fewer words that say the same, for where there is less room; or empty
    bool operator==(const GuideLine&) const = default;
};

/// Thin vertical lines with short labels across a chart over worker counts. A label stands beside its line, as near to
/// the foot of the drawing as it covers no other label and no curve, and no line if that can be had. Without room it is
/// said by its brief label, or else left out: its line says it under the pointer.
class GuideLines {
public:
    /// Lays out for these axes; lines outside `plot` are not shown. `curves` are the pixels of what is drawn.
    void arrange(const std::vector<GuideLine>& lines, const QRectF& plot, const AxisMap& x,
                 const std::vector<std::vector<QPointF>>& curves = {});
    void paint_lines(QPainter& painter, const Theme& theme) const;
    /// Those that `taken` touches are left out: half a word says nothing.
    void paint_labels(QPainter& painter, const Theme& theme, const QRectF& taken) const;

    /// The line within `slack` px of a place, or -1: its index in what arrange() was given.
    int line_at(QPointF at, double slack = 4.0) const;
    /// Where the label of line `index` stands; empty if it has no room.
    QRectF label_box(int index) const { return placed_[static_cast<std::size_t>(index)].label; }

private:
    struct Placed {
        double x = 0.0;
        QRectF label;
        QString text, brief;
        bool shown = false;
    };
    std::vector<Placed> placed_;
    QRectF plot_;
};

}  // namespace scalescope::ui
