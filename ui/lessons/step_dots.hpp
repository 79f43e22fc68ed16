// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QAbstractButton;

namespace scalescope::ui {

class LessonRun;

/// A dot for each step of a lesson: the current one long, those whose task is done filled with a tick's colour. A click
/// goes there.
class StepDots final : public QWidget {
    Q_OBJECT
public:
    explicit StepDots(QWidget* parent = nullptr);
    void set_run(LessonRun* run);
    void refresh();
    QAbstractButton* dot(int step) const;

private:
    class Dot;
    LessonRun* run_ = nullptr;
    std::vector<Dot*> dots_;
};

}  // namespace scalescope::ui
