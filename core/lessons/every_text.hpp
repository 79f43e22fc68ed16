// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/lessons/lesson.hpp"

/// Every text of a lesson with its path, in the order of the file.
namespace scalescope::lessons {

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
