// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>

namespace scalescope::ui {

class CanvasScene;
class CanvasView;

/// All of the canvas, small, and what of it is in sight; a drag goes there. The view shows and hides it.
class Minimap final : public QWidget {
    Q_OBJECT
public:
    Minimap(CanvasView& view, CanvasScene& scene);
    QSize sizeHint() const override { return {118, 122}; }
    /// From the map to the canvas and back.
    QPointF scene_point(QPointF at) const;
    QRectF map_rect(const QRectF& part) const;
    /// What is in sight, on the canvas.
    QRectF seen() const;
    /// Something of the canvas is out of sight.
    bool is_of_use() const;

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void redraw();
    CanvasView& view_;
    CanvasScene& scene_;
    QPixmap picture_;
    QPointF grip_;
};

}  // namespace scalescope::ui
