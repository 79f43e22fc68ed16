// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/lessons/text.hpp"

/// A lesson: steps that say something, set a scenario, and ask for something to be done. Plain values, as a file has
/// them (lesson_json.hpp); docs/decisions/lessons.md says why.
namespace scalescope::lessons {

/// A field of the scenario and its new value, as set_by_name() takes them: "cluster.workers" "64", "network" "nin".
struct Change {
    std::string path, value;
    bool operator==(const Change&) const = default;
};
using Changes = std::vector<Change>;

/// A scenario to begin with: a preset's id, or a whole scenario file. Neither: that of the step before.
struct Beginning {
    std::string preset;
    std::string scenario;  ///< JSON text of a scenario file
    bool is_given() const { return !preset.empty() || !scenario.empty(); }
    bool operator==(const Beginning&) const = default;
};

/// A design that the step pins: its own beginning, changed.
struct PinnedDesign {
    std::string name;
    Changes set;
    bool operator==(const PinnedDesign&) const = default;
};

/// A statement about numbers that the model must bear out. It is about the scenario with which the step begins, or
/// another one, with changes.
struct Assertion {
    std::string name;     ///< by which the texts show it: {name}; may be empty if nothing shows it
    std::string is;       ///< an expression over the names of names.hpp
    std::string says;     ///< "63 %", as it is shown: right to its last digit; empty: `is` must hold
    Beginning beginning;  ///< instead of the step's
    Changes with;
    bool operator==(const Assertion&) const = default;
};

/// What the reader of the lesson is asked to do.
struct Task {
    Text sentence;
    std::string condition;  ///< an expression that holds when it is done
    std::vector<Text> hints;
    Changes solution;  ///< of the step's scenario, that fulfil the condition
    bool operator==(const Task&) const = default;
};

struct Answer {
    Text text;
    bool right = false;
    Text explanation;
    bool operator==(const Answer&) const = default;
};

struct Question {
    Text text;
    std::vector<Answer> answers;
    bool operator==(const Question&) const = default;
};

struct Step {
    std::string title;
    Passage text;
    Beginning beginning;
    Changes set;
    std::optional<std::vector<PinnedDesign>> pins;  ///< instead of those there are; nothing: they stay
    /// Controls by the path of their field, panels by the names of places.hpp. If `show` is not empty, no other
    /// controls are shown; those of `point` are pointed at.
    std::vector<std::string> show, hide, point;
    std::vector<std::string> charts;  ///< to be brought to the front, by the names of places.hpp
    std::optional<Task> task;
    std::optional<Question> question;
    std::vector<Assertion> assertions;

    /// Whether the scenario of the person stays as it is when the step begins.
    bool goes_on() const { return !beginning.is_given() && set.empty(); }
    bool operator==(const Step&) const = default;
};

struct Lesson {
    std::string id;  ///< the file's name without ".json"; not in the file
    std::string title, summary;
    int minutes = 5;
    std::vector<std::string> after;    ///< ids of lessons that should come first
    std::vector<std::string> sources;  ///< of what it says, spelled out
    std::vector<std::string> given;    ///< digits that are no figures of the model: names, years, "64th"
    std::vector<Step> steps;

    bool operator==(const Lesson&) const = default;
};

/// Parses all markup anew from its sources, as after an edit. What is wrong is said with the path of the text
/// ("steps › 2 › task › hints › 1"), and leaves that text without blocks.
Problems parse_texts(Lesson& lesson);

// Every text of a lesson with its path, in the order of the file.

/// `of_text(path, Text&)` and `of_passage(path, Passage&)`, const ones if the lesson is.
template <class L, class OfText, class OfPassage>
void every_text(L& lesson, OfText of_text, OfPassage of_passage) {
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        auto& step = lesson.steps[i];
        const std::string here = "steps › " + std::to_string(i + 1) + " › ";
        of_passage(here + "text", step.text);
        if (step.task) {
            of_text(here + "task › sentence", step.task->sentence);
            for (std::size_t k = 0; k < step.task->hints.size(); ++k)
                of_text(here + "task › hints › " + std::to_string(k + 1), step.task->hints[k]);
        }
        if (step.question) {
            of_text(here + "question › text", step.question->text);
            for (std::size_t k = 0; k < step.question->answers.size(); ++k) {
                const std::string answer = here + "question › answers › " + std::to_string(k + 1) + " › ";
                of_text(answer + "text", step.question->answers[k].text);
                of_text(answer + "explanation", step.question->answers[k].explanation);
            }
        }
    }
}

}  // namespace scalescope::lessons
