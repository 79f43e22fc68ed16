// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/formats/library.hpp"
#include "core/lessons/lesson.hpp"

/// Whether what a lesson says is so.
namespace scalescope::lessons {

/// One assertion, worked out.
struct CheckedAssertion {
    std::size_t step = 0;
    std::string name, is, says;
    double value = 0;  ///< in the unit of `says`, if the expression's unit can be reckoned into it
    bool right = false;
};

struct CheckedLesson {
    std::vector<CheckedAssertion> assertions;
    int tasks = 0;
    Problems problems;  ///< errors; `where` names the step and its part
};

/// Works out every assertion; tries that each task's condition does not hold at first and does after its solution; that
/// one answer at least of each question is right and one wrong, each with an explanation; and that no text has digits
/// that are neither a figure nor declared as given.
CheckedLesson check_lesson(const Lesson& lesson, const formats::Library& library);

/// Whether `value` is what `says` shows, to its last digit: 0.634 and "63.4 %" if `unit` is empty or the value is in
/// percent. `converted` is the value in the unit of `says`. A `says` without one number is a Problem.
Result<bool> shows(std::string_view says, double value, std::string_view unit, double* converted = nullptr);

/// The digits in `text` that no string of `given` explains; empty if there are none.
std::string unexplained_digits(std::string_view text, const std::vector<std::string>& given);

}  // namespace scalescope::lessons
