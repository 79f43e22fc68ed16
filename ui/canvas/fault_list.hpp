// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QString>
#include <vector>

class QPainter;
class QTransform;

namespace scalescope::ui {

class CanvasScene;
struct Theme;

/// What is wrong with a drawing that leaves the program: numbered markers where it is, and a list of the reasons, as
/// the notes over the canvas stay behind.
class FaultList {
public:
    explicit FaultList(const CanvasScene& scene);
    bool empty() const { return rows_.empty(); }
    /// Of the list, in pixels, where it has that width.
    double height(double width) const;
    /// With its upper left corner at 0, 0.
    void draw(QPainter& painter, double width, const Theme& look) const;
    /// `place` takes the scene to the picture.
    void draw_markers(QPainter& painter, const QTransform& place, const Theme& look) const;

    static constexpr int narrowest = 420;  ///< lines shorter than that are hard to read

private:
    struct Row {
        QString heading, reason;
        std::vector<QPointF> at;  ///< on the scene; none: of the whole
    };
    std::vector<Row> rows_;
    int left_out_ = 0;
};

}  // namespace scalescope::ui
