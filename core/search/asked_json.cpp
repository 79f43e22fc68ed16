// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/json_decoder.hpp"
#include "core/formats/json_writer.hpp"
#include "core/formats/versions.hpp"
#include "core/search/ask.hpp"

namespace scalescope::search {
namespace {

const formats::FileFormat asked_format{"scalescope-search", "search", {}};

}  // namespace

std::string asked_json(const Asked& asked) {
    formats::JsonWriter json;
    formats::begin_file(json, asked_format);
    if (asked.ask) {
        json.begin_inline_object("ask");
        json.text("question", info_of(*asked.ask).name);
        json.count("devices", static_cast<std::size_t>(asked.numbers.devices));
        json.number("days", asked.numbers.days);
        json.number("goal", asked.numbers.goal);
        json.end_object();
    }
    json.begin_list("vary");
    for (const Varied& v : asked.vary) {
        json.begin_inline_object();
        json.text("path", v.path);
        json.text("values", v.values);
        json.end_object();
    }
    json.end_list();
    json.begin_list("where");
    for (const std::string& text : asked.where) json.text(text);
    json.end_list();
    json.begin_inline_list("objectives");
    for (const Metric m : asked.objectives) json.text(info_of(m).name);
    json.end_list();
    json.number("goal", asked.goal);
    json.text("goal_unit", asked.goal_in_epochs ? "epochs" : "samples");
    json.boolean("must_fit", asked.must_fit);
    json.count("top", asked.top);
    json.text("grid_columns", asked.grid_columns);
    json.text("grid_rows", asked.grid_rows);
    json.end_object();
    return json.take();
}

Result<Asked> read_asked(const std::string& text, const std::string& name) {
    constexpr std::size_t most_read = 100;
    ASSIGN_OR_RETURN(const auto document, formats::open_document(text, name, asked_format));
    formats::ProblemList problems;
    formats::JsonFields fields(document.root(), {}, problems);
    Asked asked;
    if (const auto ask = fields.optional("ask", formats::JsonKind::object)) {
        formats::JsonFields of(*ask, "ask", problems);
        asked.ask = ask_named(of.optional_text("question").value_or(""));
        asked.numbers.devices = of.optional_integer("devices", 1, limits::workers).value_or(1);
        asked.numbers.days = of.optional_number("days", 0, 1e9).value_or(asked.numbers.days);
        asked.numbers.goal = of.optional_number("goal", 0, 1e18).value_or(asked.numbers.goal);
    }
    if (const auto vary = fields.required("vary", formats::JsonKind::array))
        for (const formats::JsonValue row : *vary) {
            formats::JsonFields of(row, "vary", problems);
            const auto path = of.text("path"), values = of.text("values");
            if (path && values && asked.vary.size() < most_read)
                asked.vary.push_back({std::string(*path), std::string(*values)});
        }
    if (auto where = fields.texts("where")) {
        where->resize(std::min(where->size(), most_read));
        asked.where = std::move(*where);
    }
    if (const auto objectives = fields.texts("objectives")) {
        asked.objectives.clear();
        for (const std::string& word : *objectives) {
            const auto metric = metric_named(word);
            if (!metric)
                fields.error("There is no figure called " + formats::quoted(word) + ".",
                             "take one of: scalescope search --help");
            else if (asked.objectives.size() < most_objectives)
                asked.objectives.push_back(*metric);
        }
        if (asked.objectives.empty()) asked.objectives = {Metric::time};
    }
    asked.goal = fields.optional_number("goal", 0, 1e18).value_or(1);
    asked.goal_in_epochs = fields.optional_text("goal_unit").value_or("epochs") != "samples";
    asked.must_fit = fields.optional_boolean("must_fit").value_or(true);
    asked.top = static_cast<std::size_t>(fields.optional_integer("top", 1, 100'000).value_or(100));
    asked.grid_columns = fields.optional_text("grid_columns").value_or("");
    asked.grid_rows = fields.optional_text("grid_rows").value_or("");
    if (problems.has_errors()) return fail(problems.take());
    return asked;
}

}  // namespace scalescope::search
