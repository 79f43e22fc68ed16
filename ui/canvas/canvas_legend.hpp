// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace scalescope::ui {

class CanvasScene;
struct Theme;

/// What the colours of the canvas mean: a scale, or a name for each.
class CanvasLegend final : public QWidget {
    Q_OBJECT
public:
    CanvasLegend(CanvasScene& scene, QWidget* parent);
    QSize sizeHint() const override;
    /// The same on an exported picture, with its upper left corner at 0, 0.
    void draw_on(QPainter& painter, const Theme& look) const;

protected:
    void paintEvent(QPaintEvent*) override;

private:
    void tell();
    CanvasScene& scene_;
};

}  // namespace scalescope::ui
