// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>
#include <QString>
#include <utility>
#include <vector>

#include "ui/charts/chart_tooltip.hpp"

namespace scalescope::ui {

struct Theme;

/// A line across the drawing between two parts of the work, as a person sees it and may move it.
struct CanvasBorder {
    int number = -1;            ///< which of the borders; -1: only the name of the first part, which begins nowhere
    int at = 0;                 ///< drawn position of the first layer behind it
    QString tag, above, below;  ///< on the line; in the margin over and under it
    TooltipText tip;
    bool automatic = false;
    std::vector<char> behind, counts;  ///< by drawn position (drawing::border_line)
    std::vector<int> allowed;          ///< drawn positions where it may be let go; empty: it stays
    bool operator==(const CanvasBorder&) const = default;
};

/// Where another part of the work begins: a line over the boxes that are behind it, dashed while it was chosen
/// automatically, with its name at the left. All lengths are the scene's, but words are never smaller than on a sheet
/// of full size, and the name stays in sight.
class BorderItem final : public QGraphicsItem {
public:
    /// `line`: horizontal stretches from left to right. `boxes`: those that it divides.
    BorderItem(CanvasBorder border, std::vector<QPointF> line, const Theme* const& look);
    void set_through(std::vector<QRectF> boxes) { through_ = std::move(boxes); }

    const CanvasBorder& border() const { return border_; }
    /// The line's own height at x.
    double height_at(double x) const;
    /// Where its name would like to stand.
    double wanted_height() const;
    /// How it is looked at: the scale, the left edge of what is in sight, and where the name stands.
    void see(double scale, double left, double height);
    QRectF tag_box() const;
    /// Whether a hand at that point holds it; `reach`: how far off the line it may be.
    bool takes(QPointF at, double reach) const;
    void set_held(bool on);
    void set_focused(bool on);

    QRectF boundingRect() const override;
    QPainterPath shape() const override { return {}; }  // the view asks takes()
    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override;

    static constexpr double lane = 190;     ///< room at the left of a drawing for the names
    static constexpr double tag_side = 18;  ///< how high a name stands

private:
    CanvasBorder border_;
    std::vector<QPointF> line_;
    std::vector<QRectF> through_;
    const Theme* const& look_;
    double scale_ = 1, left_ = -1e9, tag_at_ = 0;
    bool held_ = false, focused_ = false;

    double words() const;
    void paint_line(QPainter& painter) const;
};

}  // namespace scalescope::ui
