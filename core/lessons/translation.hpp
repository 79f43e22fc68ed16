// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/problem.hpp"
#include "core/lessons/lesson.hpp"

/// Lessons in other languages: "scalescope-lesson-texts", see presets/schema/lesson-texts.schema.json. The lesson stays
/// one file with its scenarios, tasks and assertions; a language only says its texts in other words, with the same
/// figures. docs/decisions/languages.md says why.
namespace scalescope::lessons {

/// What the lesson says in English, and the same in another language; markup as in the lesson.
using LessonTexts = std::map<std::string, std::string, std::less<>>;

Result<LessonTexts> read_lesson_texts(std::string_view text, std::string file);
/// Those of a lesson that comes with the program: languages/CODE/lessons/ID.json. Empty if there are none.
Result<LessonTexts> shipped_lesson_texts(std::string_view code, std::string_view id);

/// The lesson in the other language, its figures too where they have words; what `texts` lack stays. Problems: markup
/// that cannot be read, figures that no assertion has.
Result<Lesson> translated(Lesson lesson, const LessonTexts& texts);

/// All that a lesson says, each text once, in the order of its file.
std::vector<std::string> texts_of(const Lesson& lesson);

}  // namespace scalescope::lessons
