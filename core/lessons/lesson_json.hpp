// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/problem.hpp"
#include "core/formats/library.hpp"
#include "core/formats/versions.hpp"
#include "core/lessons/lesson.hpp"

/// Lesson files: "scalescope-lesson", see presets/schema/lesson.schema.json.
namespace scalescope::lessons {

/// Checks form and names: markup, expressions, fields, presets, places. Whether its figures are right and its tasks can
/// be done is asked of check_lesson (check.hpp).
Result<Lesson> read_lesson(std::string_view text, std::string file, const formats::Library& library);
/// One that is still being written: what can be read of it, right or wrong. Problems only where it is no lesson at all.
Result<Lesson> read_draft(std::string_view text, std::string file, const formats::Library& library);
/// One of Library::lessons, with its id.
Result<Lesson> read_lesson(const formats::Preset& preset, const formats::Library& library);

/// A whole file; reading it gives the same lesson, but for the id.
std::string write_lesson(const Lesson& lesson);

extern const formats::FileFormat lesson_format;

}  // namespace scalescope::lessons
