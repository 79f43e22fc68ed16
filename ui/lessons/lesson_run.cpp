// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_run.hpp"

#include <algorithm>

namespace scalescope::ui {
namespace {

/// From here on a task is nearly done.
constexpr double near_enough = 0.75;

}  // namespace

LessonRun::LessonRun(lessons::Lesson lesson, const Catalogue& catalogue, const LessonMark& mark, QObject* parent)
    : QObject(parent), lesson_(std::move(lesson)), states_(lesson_.steps.size()) {
    for (std::size_t i = 0; i < lesson_.steps.size(); ++i) {
        if (!lesson_.steps[i].task) continue;
        if (auto judge = lessons::Judge::make(lesson_.steps[i].task->condition, catalogue))
            states_[i].judge = std::move(*judge);
    }
    for (const int done : mark.done)
        if (done >= 0 && done < step_count()) states_[static_cast<std::size_t>(done)].done = true;
    step_ = std::clamp(mark.step, 0, std::max(0, step_count() - 1));
    furthest_ = std::clamp(mark.furthest, step_, std::max(0, step_count() - 1));
}

void LessonRun::go_to(int step) {
    step = std::clamp(step, 0, step_count() - 1);
    if (step == step_) return;
    step_ = step;
    furthest_ = std::max(furthest_, step);
    judgement_.reset();
    start_.reset();
    start_estimate_.reset();
    emit step_changed();
    emit mark_changed();
}

LessonRun::TaskState LessonRun::task_of(int step) const {
    const auto i = static_cast<std::size_t>(step);
    if (!lesson_.steps[i].task) return TaskState::none;
    if (states_[i].done) return TaskState::done;
    const bool near = step == step_ && judgement_ && judgement_->distance && judgement_->distance->progress &&
                      *judgement_->distance->progress >= near_enough;
    return near ? TaskState::nearly : TaskState::open;
}

void LessonRun::begin(const Scenario& start) {
    start_ = start;
    start_estimate_.reset();
    judgement_.reset();
}

void LessonRun::judge(const LiveResult& result, bool at_rest) {
    if (!state().judge) return;
    const Scenario& scenario = result.request.scenario;
    lessons::Surroundings around;
    if (start_) {
        if (!start_estimate_) start_estimate_ = scenario == *start_ ? result.estimate : estimate(*start_);
        around.start = {&*start_, *start_estimate_ ? &**start_estimate_ : nullptr};
    }
    for (const PinAnswer& pin : result.pins)
        around.pins.push_back({pin.pin.scenario.get(), pin.estimate && *pin.estimate ? &**pin.estimate : nullptr});
    const lessons::Design now{&scenario, result.estimate ? &*result.estimate : nullptr};
    judgement_ = state().judge->judge(now, around);
    const bool just_now = at_rest && judgement_->holds && !state().done;
    if (just_now) state().done = true;
    emit task_changed();
    if (!just_now) return;
    emit task_done();
    emit mark_changed();
}

void LessonRun::open_hint() {
    const auto& task = now().task;
    if (!task || state().hints >= static_cast<int>(task->hints.size())) return;
    ++state().hints;
    emit hints_changed();
}

void LessonRun::choose_answer(int answer) {
    if (!now().question || answer < 0 || answer >= static_cast<int>(now().question->answers.size())) return;
    if (state().answers.contains(answer)) return;
    state().answers.insert(answer);
    emit answers_changed();
}

bool LessonRun::is_answered() const {
    if (!now().question) return true;
    const auto& answers = now().question->answers;
    for (std::size_t i = 0; i < answers.size(); ++i)
        if (answers[i].right && answers_chosen().contains(static_cast<int>(i))) return true;
    return false;
}

LessonMark LessonRun::mark() const {
    LessonMark mark;
    mark.step = step_;
    mark.furthest = furthest_;
    for (std::size_t i = 0; i < states_.size(); ++i)
        if (states_[i].done) mark.done << static_cast<int>(i);
    return mark;
}

}  // namespace scalescope::ui
