// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson.hpp"

#include <map>

namespace scalescope::lessons {

Problems parse_texts(Lesson& lesson) {
    std::map<std::string, std::string, std::less<>> figures;
    for (const Step& step : lesson.steps)
        for (const Assertion& a : step.assertions)
            if (!a.name.empty() && !a.says.empty()) figures.emplace(a.name, a.says);
    const FigureText figure = [&](std::string_view name) -> std::optional<std::string> {
        const auto found = figures.find(name);
        return found == figures.end() ? std::nullopt : std::optional(found->second);
    };
    Problems problems;
    const auto add = [&](const std::string& where, Problem p) {
        p.where = where;
        p.at.line = 0;
        problems.push_back(std::move(p));
    };
    every_text(
        lesson,
        [&](const std::string& where, Text& text) {
            auto line = parse_line(text.source, figure);
            text.line = line ? std::move(*line) : Line{};
            if (!line) add(where, std::move(line.error().front()));
        },
        [&](const std::string& where, Passage& passage) {
            auto blocks = parse_blocks(passage.source, figure);
            passage.blocks = blocks ? std::move(*blocks) : std::vector<Block>{};
            if (blocks) return;
            for (Problem& p : blocks.error()) {
                const auto number = std::to_string(p.at.line);
                add(where + " › " + number, std::move(p));
            }
        });
    return problems;
}

}  // namespace scalescope::lessons
