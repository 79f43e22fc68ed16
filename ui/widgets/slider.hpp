// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/scenario/hardware.hpp"
#include "ui/theme/px.hpp"

namespace scalescope::ui {

/// What WorkerSlider and PercentSlider share: groove 4 px, handle 16, hit area 28 high, the states normal, hover,
/// dragging, focus, off; mouse, wheel and keys; the accessible role Slider with name and value.
///
/// set_value() is for the program and emits nothing; value_changed() means that a person changed it. A drag is framed
/// by drag_started() and drag_finished(), so that it can be one undo step; Escape while dragging returns to where it
/// began.
class Slider : public QWidget {
    Q_OBJECT
    Q_PROPERTY(int value READ value WRITE choose)
public:
    explicit Slider(QWidget* parent = nullptr);

    int value() const { return value_; }
    int minimum() const { return minimum_; }
    int maximum() const { return maximum_; }
    /// Clamped to the range; emits nothing.
    void set_value(int value);
    /// Keeps the value inside; emits nothing. A logarithmic slider starts at 1 or more.
    void set_range(int minimum, int maximum);
    bool is_dragging() const { return dragging_; }
    /// As a person would: clamps, and emits value_changed if it differs. Assistive tools use it.
    void choose(int value);
    /// What a screen reader says for the value: "32 workers".
    virtual QString value_text() const;

    /// Where a value stands, in px from the left of the widget; charts may line up with it.
    qreal x_of(int value) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void value_changed(int value);
    void drag_started();
    void drag_finished();

protected:
    /// Place of a value on the groove, 0 to 1, and the value nearest to a place.
    virtual double fraction_of(int value) const = 0;
    virtual int value_at(double fraction) const = 0;
    /// The value after a step of a key or of the wheel, in the direction +1 or -1.
    virtual int page_from(int value, int direction) const = 0;
    virtual int notch_from(int value, int direction) const = 0;
    /// Room left and right of the groove, and the line the groove runs on.
    virtual int side_margin() const { return 11; }
    /// What the groove takes of the height; larger for fingers. The groove runs through its middle.
    static int hit_height();
    QRectF groove() const;

    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

    /// A click at a place that means an exact value (a tick's label), or 0.
    virtual int exact_value_at(const QPointF&) const { return 0; }

private:
    void finish_drag();
    void set_hover(bool hover);
    int value_ = 1, minimum_ = 1, maximum_ = 100, before_drag_ = 1;
    double grip_ = 0;  ///< px from the handle's middle to where it was taken
    double wheel_rest_ = 0;
    bool hover_ = false, dragging_ = false, focus_ring_ = false;
};

/// Workers: logarithmic, with tick labels at powers of two; the current one stands out. Arrows ±1, Page Up and Page
/// Down the next power of two, Home and End the ends, the wheel an eighth of a power.
class WorkerSlider final : public Slider {
    Q_OBJECT
public:
    explicit WorkerSlider(QWidget* parent = nullptr);
    void set_maximum(int maximum) { set_range(1, maximum); }
    /// What the value counts, as a screen reader says it.
    void set_words(const WorkerWords& words) { words_ = words; }
    QString value_text() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    double fraction_of(int value) const override;
    int value_at(double fraction) const override;
    int page_from(int value, int direction) const override;
    int notch_from(int value, int direction) const override;
    int side_margin() const override { return 16; }
    int exact_value_at(const QPointF& point) const override;
    void paintEvent(QPaintEvent* event) override;

private:
    static int tick_top();
    static int label_top();
    std::vector<int> labelled_ticks() const;
    WorkerWords words_;
};

/// Percent, linear: arrows ±1, pages ±10.
class PercentSlider final : public Slider {
    Q_OBJECT
public:
    explicit PercentSlider(QWidget* parent = nullptr);
    QString value_text() const override;

protected:
    double fraction_of(int value) const override;
    int value_at(double fraction) const override;
    int page_from(int value, int direction) const override;
    int notch_from(int value, int direction) const override;
};

/// Lets assistive tools see sliders and fields as such; called by their constructors, harmless to repeat.
void install_accessibility();

}  // namespace scalescope::ui
