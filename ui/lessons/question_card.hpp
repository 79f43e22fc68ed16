// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QVBoxLayout;

namespace scalescope::ui {

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
};

}  // namespace scalescope::ui
