// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <vector>

#include "core/lessons/lesson.hpp"

class QLabel;
class QVBoxLayout;

namespace scalescope::ui {

class AnswerButton;
class LessonRun;

/// A question of a lesson. Each answer that is chosen says whether it is right, and why; others may still be tried.
class QuestionCard final : public QFrame {
    Q_OBJECT
public:
    explicit QuestionCard(QWidget* parent = nullptr);
    void set_run(LessonRun* run);
    void refresh();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    LessonRun* run_ = nullptr;
    QVBoxLayout* column_;
    struct Row {
        AnswerButton* button;
        QLabel* why;
    };
    std::vector<Row> rows_;
    const lessons::Question* shown_ = nullptr;

    void build(const lessons::Question& question);
};

}  // namespace scalescope::ui
