// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a lesson: Problems, or a lesson that reads back as it is written, whose texts are whole. The same bytes
// as markup and as a condition, which has a finite value or says why it has none; and as a lesson's texts in another
// language.
#include "core/base/limits.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/lessons/check.hpp"
#include "core/lessons/judge.hpp"
#include "core/lessons/lesson.hpp"
#include "core/lessons/lesson_json.hpp"
#include "core/lessons/translation.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/json_mutator.hpp"

using namespace scalescope;
using namespace scalescope::lessons;

namespace {

const formats::Library& library() {
    static const formats::Library all = formats::load_shipped();
    return all;
}

struct Example {
    Scenario scenario;
    Estimate estimate_of_it;
    static Example make() {
        const auto* preset = library().find_scenario("example");
        auto scenario = formats::read_scenario(preset->text, preset->file, library())->scenario;
        auto e = *estimate(scenario);
        return {std::move(scenario), std::move(e)};
    }
};

void check_condition(std::string_view text) {
    static const Example example = Example::make();
    const auto judge = Judge::make(text, library().catalogue);
    if (!judge) {
        fuzz::check_problems(judge.error());
        return;
    }
    const Design design{&example.scenario, &example.estimate_of_it};
    const Surroundings around{design, {design}};
    const auto value = judge->value(design, around);
    const auto judgement = judge->judge(design, around);
    fuzz::require(judgement.holds == (value && *value != 0.0), "a condition holds if its value is not zero");
    if (value)
        fuzz::require(std::isfinite(*value), "a value is finite");
    else
        fuzz::require(!value.error().empty() && !judgement.why.empty(), "no value has a reason");
    if (judgement.distance)
        fuzz::require(std::isfinite(judgement.distance->now) && std::isfinite(judgement.distance->wanted),
                      "a distance is finite");
}

void check_markup(std::string_view text) {
    const FigureText figure = [](std::string_view name) -> std::optional<std::string> {
        return name == "a" ? std::optional<std::string>("63 %") : std::nullopt;
    };
    const auto blocks = parse_blocks({std::string(text)}, figure);
    if (!blocks) {
        fuzz::require(!blocks.error().front().remedy.empty() && blocks.error().front().at.column > 0,
                      "a problem of a text has its place");
        return;
    }
    unexplained_digits(plain(*blocks), {"1", "64th"});
    const std::string plainly = escaped(text);
    if (plainly.size() > limits::lesson_text_bytes) return;
    const auto line = parse_line(plainly, figure);
    fuzz::require(line.has_value() && line->size() <= 1, "what is escaped is plain");
}

void check_translation(std::string_view text) {
    static const auto lesson = read_lesson(
        R"({"format": "scalescope-lesson", "version": 1, "title": "T", "summary": "S", "minutes": 5,
            "steps": [{"title": "One", "text": ["A step takes {t}.", "More."], "scenario": "example",
                       "assertions": [{"name": "t", "is": "step", "says": "308 ms"}]}]})",
        "lesson.json", library());
    const auto texts = read_lesson_texts(text, "fuzz.json");
    if (!texts) {
        fuzz::check_problems(texts.error());
        return;
    }
    const auto other = translated(*lesson, *texts);
    if (!other) return fuzz::require(!other.error().empty(), "what is not translated has a reason");
    fuzz::require(other->steps.size() == lesson->steps.size(), "a translation has the same steps");
    const auto again = read_lesson(write_lesson(*other), "written.json", library());
    fuzz::require(again.has_value() && *again == *other, "a translation reads back as it was written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check_condition(text);
    check_markup(text);
    check_translation(text);
    shows(text, 0.634, "%");
    if (const auto draft = read_draft(text, "fuzz.json", library())) {
        const auto again = read_draft(write_lesson(*draft), "written.json", library());
        fuzz::require(again.has_value() && again->steps.size() == draft->steps.size(), "a draft reads back");
    }
    const auto lesson = read_lesson(text, "fuzz.json", library());
    if (!lesson) return fuzz::check_problems(lesson.error());
    const auto again = read_lesson(write_lesson(*lesson), "written.json", library());
    fuzz::require(again.has_value() && *again == *lesson, "a lesson reads back as it was written");
    for (const Problem& p : check_lesson(*lesson, library()).problems)
        fuzz::require(!p.what.empty() && !p.remedy.empty(), "every problem says what is wrong and what to do");
    return 0;
}
