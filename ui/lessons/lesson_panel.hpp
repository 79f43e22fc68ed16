// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QScrollArea;
class QTimer;
class QVBoxLayout;

namespace scalescope::ui {

class LessonRun;
class LessonText;
class QuestionCard;
class StepDots;
class TaskCard;

/// One step of a lesson to read: its text, what is asked, and the way to the next. What it sets and shows in the window
/// is not its affair.
class LessonPanel final : public QWidget {
    Q_OBJECT
public:
    explicit LessonPanel(QWidget* parent = nullptr);
    /// nullptr: nothing is shown. The run must outlive its place here.
    void set_run(LessonRun* run);
    QPushButton* next_button() const { return next_; }
    QPushButton* back_button() const { return back_; }
    QScrollArea* scroll() const { return scroll_; }
    StepDots* dots() const { return dots_; }
    void go_on();
    void go_back();

signals:
    /// After the last step.
    void finished();

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    QWidget* asking() const;
    void show_more();
    QPushButton* more_;
    QTimer* look_;
    LessonRun* run_ = nullptr;
    QScrollArea* scroll_;
    QLabel *title_, *where_, *sources_;
    LessonText* text_;
    TaskCard* task_;
    QuestionCard* question_;
    StepDots* dots_;
    QPushButton *back_, *next_;

    void show_step();
    void show_task();
};

}  // namespace scalescope::ui
