// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>
#include <QPainterPath>
#include <QString>
#include <vector>

namespace scalescope::ui {

struct Theme;

/// What stands at a connection.
struct WireLook {
    QString shape;  ///< of the tensor, beside it; empty where another wire of the same tensor says it
    QString fault;  ///< why it does not fit; empty: it does
    bool dimmed = false;
    bool lit = false;  ///< belongs to what is selected
    bool operator==(const WireLook&) const = default;
};

/// A connection between two boxes, top to bottom, with an arrow. Its index is that of the drawing's wire.
class WireItem final : public QGraphicsItem {
public:
    /// `label_at`: the upper left corner of the shape's words.
    WireItem(int index, const std::vector<QPointF>& bends, bool arrow, QPointF label_at, const Theme* const& look);

    int index() const { return index_; }
    const WireLook& shown() const { return shown_; }
    void show(const WireLook& what);
    void set_hovered(bool on);
    /// Behind what is written beside it: where the line to a note begins.
    QPointF label_end() const;
    /// Before it; the same as its end where nothing is written.
    QPointF label_start() const;
    const QPainterPath& path() const { return path_; }

    QRectF boundingRect() const override { return bounds_; }
    /// Wide enough for a hand.
    QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override;

private:
    QRectF label_box() const;
    int index_;
    bool arrow_, hovered_ = false;
    QPainterPath path_;
    QPointF end_, label_at_;
    QRectF bounds_;
    const Theme* const& look_;
    WireLook shown_;
};

}  // namespace scalescope::ui
