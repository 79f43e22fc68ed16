// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSpinBox>
#include <QWidget>
#include <functional>

class QLabel;

namespace scalescope::ui {

class PercentSlider;

/// A number with a unit and two chevrons. Every valid text counts while it is typed; a wrong one is shown red with a
/// sentence that says what is right, and the last good value stays in force. Numbers have the marks of the window's
/// language, whatever the locale, and are read with or without marks between thousands; at rest they have them. Up and
/// Down step by one, Page Up and Page Down double and halve or go ten steps, the wheel steps with focus.
class NumberField final : public QAbstractSpinBox {
    Q_OBJECT
    Q_PROPERTY(double value READ value WRITE choose)
    Q_PROPERTY(double minimum READ minimum)
    Q_PROPERTY(double maximum READ maximum)
    Q_PROPERTY(double singleStep READ step)
    Q_PROPERTY(bool error READ has_error)

public:
    explicit NumberField(const QString& accessible_name, QWidget* parent = nullptr);

    double value() const { return value_; }
    double minimum() const { return minimum_; }
    double maximum() const { return maximum_; }
    double step() const { return step_; }
    /// Emits nothing, and leaves the text alone while it already means this value ("1." while typing 1.5).
    void set_value(double value);
    void set_range(double minimum, double maximum);
    /// Digits after the dot at most; 0 makes it an integer field. Trailing zeros are not shown.
    void set_decimals(int decimals);
    void set_step(double step) { step_ = step; }
    /// The value may be missing: an empty field with this text in it, grey.
    void set_optional(const QString& placeholder);
    /// Empties an optional field; emits nothing.
    void set_missing();
    bool missing() const { return missing_; }
    /// Page keys double and halve instead of going ten steps (workers, batch).
    void set_doubling(bool on) { doubling_ = on; }
    /// Steps go to what this says follows the value, up (1) or down (-1): of values that are no multiples of a step.
    void set_follower(std::function<double(double value, int direction)> follower) { follower_ = std::move(follower); }
    /// Shown grey behind the number: "%", "GB/s". It may be typed too.
    void set_unit(const QString& unit);
    const QString& unit() const { return unit_; }
    /// What the value is called in messages: "Batch is 1 or more."
    void set_subject(const QString& subject) { subject_ = subject; }
    /// A problem found elsewhere (the model refuses the value); empty clears it. A person's typing clears it too.
    void set_error(const QString& message);
    bool has_error() const { return !error().isEmpty(); }
    QString error() const { return own_error_.isEmpty() ? outer_error_ : own_error_; }
    /// A label that shows the error's sentence and hides without one; place it beside or below. Made on first use, and
    /// owned by whoever takes it into a layout.
    QLabel* message_label();
    /// As a person would: emits value_changed and editing_finished.
    void choose(double value);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void stepBy(int steps) override;

signals:
    /// A person typed another value, which value_changed tells next; editing_finished ends the typing.
    void typed();
    /// A person changed the value; may come many times while typing or holding a key.
    void value_changed(double value);
    /// A person emptied an optional field.
    void value_removed();
    /// Enter, leaving the field, or a step: the end of one undo step.
    void editing_finished();

protected:
    StepEnabled stepEnabled() const override;
    QValidator::State validate(QString& input, int& position) const override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void read_text(const QString& text);
    void settle();
    void show_value();
    void show_error();
    void place_editor();
    bool shows_unit() const;
    QString text_of(double value, bool grouped) const;
    QString shown_text() const;
    void tell_accessibility();
    QString range_sentence() const;
    bool take(double value);
    double value_ = 0, minimum_ = 0, maximum_ = 100, step_ = 1;
    int decimals_ = 0;
    std::function<double(double, int)> follower_;
    bool doubling_ = false, optional_ = false, missing_ = false;
    QString unit_, subject_, own_error_, outer_error_;
    QLabel* message_ = nullptr;
};

/// "Compute ——o [100 %]": a slider and a field that show one percentage.
class PercentField final : public QWidget {
    Q_OBJECT
public:
    explicit PercentField(const QString& accessible_name, QWidget* parent = nullptr);
    double value() const;
    /// Emits nothing.
    void set_value(double percent);
    /// The slider moves in whole percents; the field takes this many decimals.
    void set_range(int minimum, int maximum, int decimals = 0);
    PercentSlider* slider() const { return slider_; }
    NumberField* field() const { return field_; }

signals:
    void value_changed(double percent);
    /// A drag began; drag_finished also ends a typed change. Between the two lies one undo step.
    void drag_started();
    void drag_finished();

private:
    PercentSlider* slider_;
    NumberField* field_;
};

}  // namespace scalescope::ui
