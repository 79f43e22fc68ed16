// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QAbstractSlider>

namespace scalescope::ui {

/// A small flat button with a line icon, in a chart's corner.
class CornerButton final : public QAbstractButton {
    Q_OBJECT
public:
    /// `icon` is the name of a file in resources/icons.
    CornerButton(const char* icon, const QString& name, QWidget* parent);
    QSize sizeHint() const override;
    /// Where it lies over the drawing it needs a ground of its own.
    void set_floating(bool floating);

protected:
    void paintEvent(QPaintEvent*) override;
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

private:
    const char* icon_;
    bool floating_ = false;
};

/// A 4 px scroll bar without arrows under a chart that does not fit. Value, page and range as every slider.
class ThinScrollBar final : public QAbstractSlider {
    Q_OBJECT
public:
    explicit ThinScrollBar(QWidget* parent);
    static constexpr int height_px = 10;  ///< what a hand can hit; 4 px of it are painted

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }
    void sliderChange(SliderChange) override { update(); }

private:
    QRectF thumb() const;
    double grabbed_at_ = 0.0;  ///< pointer minus left end of the thumb
};

}  // namespace scalescope::ui
