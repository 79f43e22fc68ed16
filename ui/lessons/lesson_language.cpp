// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_language.hpp"

#include "core/lessons/lesson_json.hpp"
#include "core/lessons/translation.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {

Result<lessons::Lesson> read_lesson_in_language(const formats::Preset& preset, const formats::Library& library) {
    auto lesson = lessons::read_lesson(preset, library);
    if (!lesson || preset.own) return lesson;
    const auto texts = lessons::shipped_lesson_texts(language_told().toStdString(), preset.id);
    if (!texts || texts->empty()) return lesson;
    auto other = lessons::translated(*lesson, *texts);
    return other ? other : lesson;
}

QString title_in_language(const formats::Preset& preset) {
    const auto texts = preset.own ? Result<lessons::LessonTexts>{}
                                  : lessons::shipped_lesson_texts(language_told().toStdString(), preset.id);
    if (texts)
        if (const auto found = texts->find(preset.name); found != texts->end())
            return QString::fromStdString(found->second);
    return QString::fromStdString(preset.name);
}

}  // namespace scalescope::ui
