// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QFrame>
#include <vector>

class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace scalescope::ui {

/// What does not fit, in words, and buttons that mend it. It lies over the canvas and keeps its size at every zoom.
class NoteCard final : public QFrame {
    Q_OBJECT
public:
    explicit NoteCard(QWidget* parent);
    void set_text(const QString& heading, const QString& reason);
    /// One button for each way to mend it; while they are being looked for, those from before do nothing.
    void set_fixes(const QStringList& titles);
    void set_busy(bool on);
    const std::vector<QPushButton*>& buttons() const { return buttons_; }
    /// Gives it the height that its words need.
    void fit();
    /// To its first button, for the keyboard.
    void take_focus(Qt::FocusReason reason);
    /// Puts all that takes the keyboard behind `before` in the order of Tab; returns the last.
    QWidget* follow(QWidget* before);

    static constexpr int note_width = 208;

signals:
    void fix_chosen(int index);
    void closed();
    void pressed();  ///< on its words

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QLabel *heading_, *reason_;
    QToolButton* close_;
    QVBoxLayout* column_;
    std::vector<QPushButton*> buttons_;
};

/// A note that is not open: a red disc with a sign on it.
class NoteMarker final : public QAbstractButton {
    Q_OBJECT
public:
    explicit NoteMarker(QWidget* parent);
    static constexpr int side = 20;

protected:
    void paintEvent(QPaintEvent*) override;
    void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace scalescope::ui
