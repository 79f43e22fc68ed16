// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/check_lessons.hpp"

#include <ostream>

#include "app/commands/input.hpp"
#include "core/lessons/check.hpp"
#include "core/lessons/lesson_json.hpp"

namespace scalescope::app {

namespace {

/// A file, or the name of a preset.
Result<lessons::Lesson> lesson_named(const std::string& name, const formats::Library& library) {
    const auto find = [&](const std::string& n) { return library.find_lesson(n); };
    const auto source = named_text(name, find, library.lessons, "lesson");
    if (!source) return fail(source.error());
    return lessons::read_lesson(source->text, source->file, library);
}

}  // namespace

int check_lessons(const Arguments& arguments, const formats::Library& library, std::ostream& out, std::ostream& err) {
    Table table{{"lesson", "step", "name", "is", "says", "value", "right"}, {}};
    Problems problems;
    for (const std::string& name : arguments.positionals()) {
        auto lesson = lesson_named(name, library);
        if (!lesson) {
            problems.insert(problems.end(), lesson.error().begin(), lesson.error().end());
            continue;
        }
        auto checked = lessons::check_lesson(*lesson, library);
        for (const auto& a : checked.assertions)
            table.rows.push_back({name, static_cast<std::int64_t>(a.step + 1), a.name.empty() ? Cell() : Cell(a.name),
                                  a.is, a.says.empty() ? Cell() : Cell(a.says), a.value,
                                  std::string(a.right ? "yes" : "no")});
        for (Problem& p : checked.problems) {
            // A check knows the place in the lesson, not in the text of the file.
            if (p.at.file.empty()) p.at.file = name;
            problems.push_back(std::move(p));
        }
    }
    write_table(out, table, arguments.format());
    return report(err, problems);
}

}  // namespace scalescope::app
