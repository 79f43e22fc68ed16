// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace scalescope::ui {

class CanvasScene;
struct Theme;

/// What the colours of the canvas mean: a scale, or a name for each. The view shows and hides it.
class CanvasLegend final : public QWidget {
    Q_OBJECT
public:
    CanvasLegend(CanvasScene& scene, QWidget* parent);
    QSize sizeHint() const override;
    /// Boxes have colours that mean something, or it is said why not.
    bool is_of_use() const;
    /// The same on an exported picture, with its upper left corner at 0, 0.
    void draw_on(QPainter& painter, const Theme& look) const;

protected:
    void paintEvent(QPaintEvent*) override;

private:
    void tell();
    CanvasScene& scene_;
};

}  // namespace scalescope::ui
