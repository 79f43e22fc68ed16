// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBasicTimer>
#include <QGraphicsView>
#include <string>
#include <utility>
#include <vector>

#include "core/drawing/borders.hpp"

namespace scalescope::ui {

class BorderItem;
class BoxItem;
class CanvasLegend;
class CanvasNotes;
class CanvasScene;
class ChartTooltip;
class Minimap;
class WireItem;
struct CanvasBorder;

/// Looks at the canvas: zoom by wheel, pinch and keys, pan by scrolling, the middle button or the space bar, a band to
/// select, arrows to walk from box to box, tips, and the legend and the map in its corners.
class CanvasView final : public QGraphicsView {
    Q_OBJECT
public:
    explicit CanvasView(CanvasScene& scene, QWidget* parent = nullptr);

    static constexpr double least_zoom = 0.005, most_zoom = 4;
    static constexpr double notch = 1.2;  ///< of a wheel, and of Ctrl with + and −
    double zoom() const { return transform().m11(); }
    /// A border that a hand holds at the edge takes the drawing along.
    bool scrolls_at_edge() const { return scroll_.isActive(); }
    /// Around the middle of the view.
    void set_zoom(double zoom);
    void zoom_by(double factor) { set_zoom(zoom() * factor); }
    /// All of it, no larger than it is.
    void fit();
    /// The top of the drawing at full size, or all of it if it fits.
    void show_start();
    /// The top of the drawing in the middle, however near it is: what is drawn next comes below.
    void show_top();
    /// Scrolls a box into sight.
    void show_box(const BoxItem& box);
    /// The first border between parts of the work, if it is out of sight.
    void show_border();
    /// Folds or unfolds; the box stays where it is on the screen.
    void toggle(const std::string& path);
    BoxItem* box_at(QPoint at) const;
    /// Where boxes are on the screen, those in the middle first, so that most stays in its place when all are made
    /// anew.
    using Held = std::vector<std::pair<std::string, QPoint>>;
    Held hold() const;
    WireItem* wire_at(QPoint at) const;
    /// Where a box's output is taken hold of, on the screen.
    QPoint port_of(const BoxItem& box) const;
    void put_back(const Held& held);
    /// A border between parts of the work that can be taken hold of there; null: none.
    BorderItem* border_at(QPoint at) const;
    /// The border that has the keyboard, by its number; -1: none, the boxes have it.
    int focused_border() const { return focused_border_; }
    /// A hand or a key holds one.
    bool moves_border() const { return held_border_ >= 0; }

    Minimap* minimap() const { return minimap_; }
    CanvasLegend* legend() const { return legend_; }
    CanvasNotes& notes() const { return *notes_; }
    QString tooltip_text() const;

signals:
    void zoomed();
    void seen_changed();                      ///< another part is in sight
    void hovered(const QString& path);        ///< of a box; empty: none
    void box_activated(const QString& path);  ///< double click or Enter on a layer
    void find_asked();
    void menu_asked(QPoint global);
    void connect_asked(const QString& from, const QString& to);  ///< drawn from a port to a box
    /// A kind of the palette was let go: on a wire (its index), else on a box, else on nothing.
    /// A border is moved: taken, put before a layer (drawn position), and let go where it is or given up.
    void border_taken();
    void border_moved(int number, int position);
    void border_let_go(bool keep);
    void border_freed();  ///< it is to stand where it is best
    void kind_dropped(const QString& kind, int wire, const QString& box);

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    enum class Hand { free, panning, on_sign, connecting, dividing };
    void light_target(QPoint at);
    void make_room();
    void zoom_at(QPoint at, double zoom);
    void pan_by(QPoint pixels);
    void hover(QPoint at);
    void tell(const BoxItem* box, QPoint at);
    void place_corners();
    void walk(int dx, int dy, bool extend);
    void say_selection();
    BorderItem* border(int number) const;
    void see_borders();
    void mark_borders();
    void take_border(const BorderItem& item, QPoint at);
    void drag_border(QPoint at);
    void let_border_go(bool keep);
    void focus_border(int number);
    bool border_key(QKeyEvent* event);
    CanvasScene& scene_;
    Minimap* minimap_;
    CanvasLegend* legend_;
    CanvasNotes* notes_;
    ChartTooltip* tooltip_;
    Hand hand_ = Hand::free;
    QPoint last_;
    bool space_ = false, focus_ring_ = false;
    int hovered_border_ = -1, held_border_ = -1, focused_border_ = -1;
    QPoint grip_;                          ///< from the hand to the line it holds
    std::vector<drawing::Notch> notches_;  ///< where that may be let go
    bool may_scroll_ = false;
    QBasicTimer scroll_;          ///< while a hand holds something at the edge
    std::string hovered_, from_;  ///< boxes: under the pointer; whose output the hand holds
};

}  // namespace scalescope::ui
