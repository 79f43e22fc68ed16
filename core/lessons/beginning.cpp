// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/beginning.hpp"

#include "core/formats/named_settings.hpp"
#include "core/formats/scenario_json.hpp"

namespace scalescope::lessons {
namespace {

/// Problems that name no place say at least what they are about.
tl::unexpected<Problems> about(Problems problems, const std::string& where) {
    for (Problem& p : problems)
        if (p.where.empty()) p.where = where;
    return fail(std::move(problems));
}

}  // namespace

Result<Scenario> scenario_of(const Beginning& beginning, const formats::Library& library) {
    if (!beginning.preset.empty()) {
        const auto* preset = library.find_scenario(beginning.preset);
        if (!preset)
            return fail(make_error("There is no scenario called \"" + beginning.preset.substr(0, 60) + "\".",
                                   "Choose one of: scalescope list scenarios."));
        auto read = formats::read_scenario(preset->text, preset->file, library);
        if (!read) return fail(std::move(read.error()));
        return std::move(read->scenario);
    }
    // What a lesson says inside itself names no files: it means the same wherever it lies.
    auto read = formats::read_scenario(
        beginning.scenario, {}, library,
        formats::no_files(make_error("A lesson's scenario cannot name a file.", "Write the network out.")));
    if (!read) return fail(std::move(read.error()));
    return std::move(read->scenario);
}

Result<Scenario> changed(Scenario scenario, const Changes& changes, const formats::Library& library) {
    for (const Change& change : changes)
        if (auto set = formats::set_by_name(scenario, change.path, change.value, library); !set)
            return about(std::move(set.error()), change.path);
    return scenario;
}

Result<Scenario> scenario_of(const Lesson& lesson, std::size_t step, const formats::Library& library) {
    // Back to the last step that has a scenario of its own, and forward again.
    std::size_t first = step;
    while (first > 0 && !lesson.steps[first].beginning.is_given()) --first;
    const Beginning& beginning = lesson.steps[first].beginning;
    if (!beginning.is_given())
        return fail(make_error("The first step has no scenario.",
                               "Add \"scenario\", with a preset's id such as \"example\".", {}, "steps › 1"));
    auto scenario = scenario_of(beginning, library);
    for (std::size_t i = first; scenario && i <= step; ++i)
        scenario = changed(std::move(*scenario), lesson.steps[i].set, library);
    return scenario;
}

Result<Scenario> scenario_of(const Lesson& lesson, std::size_t step, const Assertion& assertion,
                             const formats::Library& library) {
    auto scenario =
        assertion.beginning.is_given() ? scenario_of(assertion.beginning, library) : scenario_of(lesson, step, library);
    return scenario ? changed(std::move(*scenario), assertion.with, library) : scenario;
}

Result<Pins> pins_of(const Lesson& lesson, std::size_t step, const formats::Library& library) {
    Pins pins;
    const auto& wanted = lesson.steps[step].pins;
    if (!wanted || wanted->empty()) return pins;
    ASSIGN_OR_RETURN(const auto scenario, scenario_of(lesson, step, library));
    for (const PinnedDesign& design : *wanted) {
        auto pinned = changed(scenario, design.set, library);
        if (!pinned) return fail(std::move(pinned.error()));
        pins.push_back({design.name, std::make_shared<const Scenario>(std::move(*pinned))});
    }
    return pins;
}

}  // namespace scalescope::lessons
