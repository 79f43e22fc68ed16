// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/translation.hpp"

#include <algorithm>

#include "core/formats/embedded.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/versions.hpp"
#include "core/lessons/lesson.hpp"

namespace scalescope::lessons {
namespace {

const formats::FileFormat texts_format{"scalescope-lesson-texts", "texts of a lesson", {}};

/// `of(std::string&)` for all that a person reads, titles and names of pinned designs too; const if the lesson is.
template <class L, class Of>
void every_string(L& lesson, Of of) {
    of(lesson.title);
    of(lesson.summary);
    for (auto& step : lesson.steps) {
        of(step.title);
        if (step.pins)
            for (auto& pin : *step.pins) of(pin.name);
    }
    every_text(
        lesson, [&](const std::string&, auto& text) { of(text.source); },
        [&](const std::string&, auto& passage) {
            for (auto& block : passage.source) of(block);
        });
}

}  // namespace

Result<LessonTexts> read_lesson_texts(std::string_view text, std::string file) {
    ASSIGN_OR_RETURN(auto document, formats::open_document(text, std::move(file), texts_format));
    formats::ProblemList problems;
    formats::JsonFields fields(document.root(), {}, problems);
    fields.ignore("format");
    fields.ignore("version");
    (void)fields.text("language");
    LessonTexts texts;
    if (const auto all = fields.required("texts", formats::JsonKind::object))
        for (const formats::JsonValue entry : *all) {
            if (entry.is_string())
                texts.emplace(entry.key(), entry.text());
            else
                problems.error(entry.at(), std::string(entry.key()), "This must be a text.", "Write the translation.");
        }
    fields.finish();
    if (Problems found = problems.take(); !found.empty()) return fail(std::move(found));
    return texts;
}

Result<LessonTexts> shipped_lesson_texts(std::string_view code, std::string_view id) {
    const std::string path = "languages/" + std::string(code) + "/lessons/" + std::string(id) + ".json";
    for (const formats::EmbeddedFile& file : formats::embedded_files())
        if (file.path == path) return read_lesson_texts(file.text, "presets/" + path);
    return LessonTexts{};
}

Result<Lesson> translated(Lesson lesson, const LessonTexts& texts) {
    every_string(lesson, [&](std::string& said) {
        if (const auto found = texts.find(said); found != texts.end()) said = found->second;
    });
    // Figures that have words in them: "50.3 million", "2.0 times".
    for (Step& step : lesson.steps)
        for (Assertion& a : step.assertions)
            if (const auto found = texts.find(a.says); found != texts.end()) a.says = found->second;
    if (Problems problems = parse_texts(lesson); !problems.empty()) return fail(std::move(problems));
    return lesson;
}

std::vector<std::string> texts_of(const Lesson& lesson) {
    std::vector<std::string> all;
    every_string(lesson, [&](const std::string& said) {
        if (!said.empty() && std::ranges::find(all, said) == all.end()) all.push_back(said);
    });
    return all;
}

}  // namespace scalescope::lessons
