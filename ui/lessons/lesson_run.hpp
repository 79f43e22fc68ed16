// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSet>
#include <optional>
#include <vector>

#include "core/lessons/judge.hpp"
#include "core/lessons/lesson.hpp"
#include "ui/live/live.hpp"
#include "ui/preferences/lesson_mark.hpp"

namespace scalescope::ui {

/// Somebody working through a lesson: which step, what became of its tasks, which hints and answers are open. Knows
/// nothing of widgets, and never says no: any step can be gone to at any time.
class LessonRun final : public QObject {
    Q_OBJECT
public:
    enum class TaskState { none, open, nearly, done };

    /// `catalogue` must outlive it.
    LessonRun(lessons::Lesson lesson, const Catalogue& catalogue, const LessonMark& mark, QObject* parent = nullptr);

    const lessons::Lesson& lesson() const { return lesson_; }
    int step_count() const { return static_cast<int>(lesson_.steps.size()); }
    int step() const { return step_; }
    const lessons::Step& now() const { return lesson_.steps[static_cast<std::size_t>(step_)]; }
    bool is_last() const { return step_ + 1 == step_count(); }
    void go_to(int step);

    TaskState task() const { return task_of(step_); }
    TaskState task_of(int step) const;
    /// How near the condition is: both sides of it, the way done so far. Nothing before the first answer.
    const std::optional<lessons::Judgement>& judgement() const { return judgement_; }
    /// The scenario with which the step began is `start`; until told otherwise, nothing is known of it.
    void begin(const Scenario& start);
    /// The newest answer says how near the task is. One that is done when the hand rests is noticed, and stays done:
    /// what a hand passes on its way is not what it chose.
    void judge(const LiveResult& result, bool at_rest);

    int hints_open() const { return state().hints; }
    void open_hint();
    const QSet<int>& answers_chosen() const { return state().answers; }
    void choose_answer(int answer);
    /// The right answer of the question was found, or there is no question.
    bool is_answered() const;

    /// What is kept for the next time.
    LessonMark mark() const;

signals:
    void step_changed();
    void task_changed();  ///< its state, or how near it is
    void task_done();     ///< just now, by the person
    void hints_changed();
    void answers_changed();
    void mark_changed();

private:
    struct StepState {
        bool done = false;
        int hints = 0;
        QSet<int> answers;
        std::optional<lessons::Judge> judge;
    };
    const StepState& state() const { return states_[static_cast<std::size_t>(step_)]; }
    StepState& state() { return states_[static_cast<std::size_t>(step_)]; }

    lessons::Lesson lesson_;
    std::vector<StepState> states_;
    int step_ = 0, furthest_ = 0;
    std::optional<lessons::Judgement> judgement_;
    std::optional<Scenario> start_;
    std::optional<Result<Estimate>> start_estimate_;
};

}  // namespace scalescope::ui
