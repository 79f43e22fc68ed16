// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/decimal.hpp"
#include "core/formats/json_members.hpp"
#include "core/lessons/lesson_json.hpp"

namespace scalescope::lessons {
namespace {

class LessonWriter : formats::JsonMembers {
public:
    std::string write(const Lesson& lesson) {
        json_.begin_object();
        text("format", lesson_format.name);
        json_.key("version");
        json_.integer(lesson_format.newest());
        text("title", lesson.title);
        text("summary", lesson.summary);
        json_.key("minutes");
        json_.integer(lesson.minutes);
        list("after", lesson.after);
        list("sources", lesson.sources);
        list("given", lesson.given);
        json_.key("steps");
        json_.begin_list();
        for (const Step& step : lesson.steps) write_step(step);
        json_.end_list();
        json_.end_object();
        return json_.take();
    }

private:
    void list(std::string_view key, const std::vector<std::string>& words, bool on_one_line = false) {
        if (words.empty()) return;
        json_.key(key);
        on_one_line ? json_.begin_inline_list() : json_.begin_list();
        for (const std::string& w : words) json_.text(w);
        json_.end_list();
    }

    void changes(std::string_view key, const Changes& all) {
        if (all.empty()) return;
        json_.key(key);
        json_.begin_inline_object();
        for (std::size_t i = 0; i < all.size(); ++i) {
            // A member stands in an object once: what is set last is what counts.
            const auto same = [&](const Change& c) { return c.path == all[i].path; };
            if (std::any_of(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end(), same)) continue;
            const std::string& value = all[i].value;
            const auto number = parse_decimal(value);
            json_.key(all[i].path);
            if (value == "true" || value == "false" || (number && shortest_decimal(*number) == value))
                json_.raw(value);
            else
                json_.text(value);
        }
        json_.end_object();
    }

    void beginning(const Beginning& b) {
        if (!b.is_given()) return;
        json_.key("scenario");
        if (b.preset.empty())
            json_.raw(b.scenario);
        else
            json_.text(b.preset);
    }

    void write_step(const Step& step) {
        json_.begin_object();
        text("title", step.title);
        list("text", step.text.source);
        beginning(step.beginning);
        changes("set", step.set);
        if (step.pins) {
            json_.key("pins");
            json_.begin_list();
            for (const PinnedDesign& design : *step.pins) {
                json_.begin_object();
                text("name", design.name);
                changes("set", design.set);
                json_.end_object();
            }
            json_.end_list();
        }
        list("show", step.show, true);
        list("hide", step.hide, true);
        list("point", step.point, true);
        list("charts", step.charts, true);
        if (step.task) write_task(*step.task);
        if (step.question) write_question(*step.question);
        if (!step.assertions.empty()) {
            json_.key("assertions");
            json_.begin_list();
            for (const Assertion& a : step.assertions) write_assertion(a);
            json_.end_list();
        }
        json_.end_object();
    }

    void write_task(const Task& task) {
        json_.key("task");
        json_.begin_object();
        text("sentence", task.sentence.source);
        text("condition", task.condition);
        std::vector<std::string> hints;
        for (const Text& hint : task.hints) hints.push_back(hint.source);
        list("hints", hints);
        changes("solution", task.solution);
        json_.end_object();
    }

    void write_question(const Question& question) {
        json_.key("question");
        json_.begin_object();
        text("text", question.text.source);
        json_.key("answers");
        json_.begin_list();
        for (const Answer& answer : question.answers) {
            json_.begin_object();
            text("text", answer.text.source);
            if (answer.right) flag("right", true);
            text("explanation", answer.explanation.source);
            json_.end_object();
        }
        json_.end_list();
        json_.end_object();
    }

    void write_assertion(const Assertion& a) {
        json_.begin_object();
        optional("name", a.name);
        text("is", a.is);
        optional("says", a.says);
        beginning(a.beginning);
        changes("with", a.with);
        json_.end_object();
    }
};

}  // namespace

std::string write_lesson(const Lesson& lesson) { return LessonWriter().write(lesson); }

}  // namespace scalescope::lessons
