// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/formats/library.hpp"
#include "core/lessons/lesson.hpp"

namespace scalescope::ui {

/// A lesson of the library in the language of the window; one that has no texts in it, or is a person's own, as it is.
Result<lessons::Lesson> read_lesson_in_language(const formats::Preset& preset, const formats::Library& library);

/// Its title in that language, without reading it.
QString title_in_language(const formats::Preset& preset);

}  // namespace scalescope::ui
