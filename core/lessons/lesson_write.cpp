// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/decimal.hpp"
#include "core/formats/json_writer.hpp"
#include "core/lessons/lesson_json.hpp"

namespace scalescope::lessons {
namespace {

class LessonWriter {
public:
    std::string write(const Lesson& lesson) {
        formats::begin_file(json_, lesson_format);
        json_.text("title", lesson.title);
        json_.text("summary", lesson.summary);
        json_.integer("minutes", lesson.minutes);
        list("after", lesson.after);
        list("sources", lesson.sources);
        list("given", lesson.given);
        json_.begin_list("steps");
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
        json_.begin_inline_object(key);
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
        json_.text("title", step.title);
        list("text", step.text.source);
        beginning(step.beginning);
        changes("set", step.set);
        if (step.pins) {
            json_.begin_list("pins");
            for (const PinnedDesign& design : *step.pins) {
                json_.begin_object();
                json_.text("name", design.name);
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
            json_.begin_list("assertions");
            for (const Assertion& a : step.assertions) write_assertion(a);
            json_.end_list();
        }
        json_.end_object();
    }

    void write_task(const Task& task) {
        json_.begin_object("task");
        json_.text("sentence", task.sentence.source);
        json_.text("condition", task.condition);
        std::vector<std::string> hints;
        for (const Text& hint : task.hints) hints.push_back(hint.source);
        list("hints", hints);
        changes("solution", task.solution);
        json_.end_object();
    }

    void write_question(const Question& question) {
        json_.begin_object("question");
        json_.text("text", question.text.source);
        json_.begin_list("answers");
        for (const Answer& answer : question.answers) {
            json_.begin_object();
            json_.text("text", answer.text.source);
            if (answer.right) json_.boolean("right", true);
            json_.text("explanation", answer.explanation.source);
            json_.end_object();
        }
        json_.end_list();
        json_.end_object();
    }

    void write_assertion(const Assertion& a) {
        json_.begin_object();
        json_.optional_text("name", a.name);
        json_.text("is", a.is);
        json_.optional_text("says", a.says);
        beginning(a.beginning);
        changes("with", a.with);
        json_.end_object();
    }

    formats::JsonWriter json_;
};

}  // namespace

std::string write_lesson(const Lesson& lesson) { return LessonWriter().write(lesson); }

}  // namespace scalescope::lessons
