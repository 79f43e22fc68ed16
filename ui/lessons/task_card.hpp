// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace scalescope::ui {

class LessonRun;

/// What the reader of a lesson is asked to do: the sentence, how far it is (told by a mark, a word and, while it is
/// open, both sides of the condition), and hints one by one.
class TaskCard final : public QFrame {
    Q_OBJECT
public:
    explicit TaskCard(QWidget* parent = nullptr);
    /// nullptr: nothing is asked.
    void set_run(LessonRun* run);
    /// Another step, or another answer.
    void refresh();
    QString state_text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    class Mark;
    LessonRun* run_ = nullptr;
    Mark* mark_;
    QLabel *state_, *distance_;
    QVBoxLayout* sentence_;
    QVBoxLayout* hints_;
    QPushButton* hint_;
    const void* shown_task_ = nullptr;
    int shown_hints_ = 0;

    void show_hints();
    void show_state();
};

}  // namespace scalescope::ui
