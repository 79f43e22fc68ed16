// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/trainers/writing.hpp"

#include <algorithm>
#include <utility>

#include "core/formats/json_writer.hpp"
#include "core/formats/trainers/interpreter.hpp"

namespace scalescope::formats::trainers {
namespace {

/// A key with its value, and whether the value is a text.
struct Line {
    std::string key, value;
    bool text = false;
};

/// Keys "a.b.c" as a tree, in the order in which they came.
struct Section {
    std::string name;
    std::vector<Line> lines;
    std::vector<Section> sections;

    void add(std::string_view key, Line line) {
        const auto dot = key.find('.');
        if (dot == std::string_view::npos) {
            line.key = key;
            lines.push_back(std::move(line));
            return;
        }
        const auto head = key.substr(0, dot);
        auto found = std::ranges::find(sections, head, &Section::name);
        if (found == sections.end()) found = sections.insert(sections.end(), Section{std::string(head), {}, {}});
        found->add(key.substr(dot + 1), std::move(line));
    }
};

std::string comment(const std::vector<std::string>& about) {
    std::string text;
    for (const std::string& line : about) text += "# " + line + '\n';
    return text;
}

std::string quoted_value(const Line& line) { return line.text ? '"' + line.value + '"' : line.value; }

/// Words for a shell: brackets and the like in quotes, "([0]*3+[1]*58)".
std::string shell_words(std::string_view value) {
    std::string text;
    while (!value.empty()) {
        const auto size = std::min(value.find(' '), value.size());
        const auto word = value.substr(0, size);
        const bool plain = word.find_first_of("()[]{}|&;<>*?$`\"'\\!#~") == std::string_view::npos;
        text += plain ? " " : " '";
        for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        text += plain ? "" : "'";
        value.remove_prefix(std::min(size + 1, value.size()));
    }
    return text;
}

std::string shell(const std::vector<Line>& lines, std::string command) {
    std::string text;
    for (const Line& line : lines) {
        text += " \\\n  --" + line.key;
        if (line.value != "true") text += shell_words(line.value);
    }
    return std::move(command) + text + '\n';
}

void write_yaml(const Section& section, const std::string& indent, std::string& to) {
    for (const Line& line : section.lines) to += indent + line.key + ": " + line.value + '\n';
    for (const Section& inner : section.sections) {
        to += indent + inner.name + ":\n";
        write_yaml(inner, indent + "  ", to);
    }
}

void write_toml(const Section& section, const std::string& path, std::string& to) {
    if (!section.lines.empty() && !path.empty()) to += "\n[" + path + "]\n";
    for (const Line& line : section.lines) to += line.key + " = " + quoted_value(line) + '\n';
    for (const Section& inner : section.sections) write_toml(inner, path + (path.empty() ? "" : ".") + inner.name, to);
}

void write_json(const Section& section, JsonWriter& to) {
    for (const Line& line : section.lines) {
        to.key(line.key);
        if (line.text)
            to.text(line.value);
        else
            to.raw(line.value);
    }
    for (const Section& inner : section.sections) {
        to.begin_object(inner.name);
        write_json(inner, to);
        to.end_object();
    }
}

/// The named model that has all these figures.
const std::map<std::string, Value>* model_of(const Description& trainer, const Figures& figures) {
    for (const auto& [name, model] : trainer.models) {
        const bool same = std::ranges::all_of(model, [&](const auto& figure) {
            const auto given = figures.find(figure.first);
            return given == figures.end() || given->second.value.is == figure.second.is;
        });
        if (same) return &model;
    }
    return nullptr;
}

}  // namespace

Result<Written> write_configuration(const Description& trainer, const Figures& figures,
                                    std::vector<std::string> about) {
    Interpreter interpreter(trainer);
    for (const auto& [name, figure] : figures) interpreter.state(name, figure);
    interpreter.take_model(model_of(trainer, figures));
    Written written;
    Problems refused;
    for (const Rule& loss : trainer.losses) {
        if (!interpreter.holds(loss.when)) continue;
        std::string what = text_of(interpreter.evaluated(loss.what));
        std::string remedy = text_of(interpreter.evaluated(loss.remedy));
        if (loss.kind == RuleKind::complaint) {
            refused.push_back(make_error(std::move(what), std::move(remedy)));
            continue;
        }
        about.push_back(what + ' ' + remedy);
        written.notes.push_back(make_warning(std::move(what), std::move(remedy)));
    }
    if (!refused.empty()) return fail(std::move(refused));
    std::vector<Line> lines;
    for (const WrittenKey& key : trainer.written) {
        if (key.when && !interpreter.holds(*key.when)) continue;
        const Value value = interpreter.evaluated(key.value);
        if (value.none()) continue;
        lines.push_back({key.key, !key.flag ? text_of(value) : value.truth() ? "true" : "false", key.text});
    }
    Section all;
    for (const Line& line : lines) all.add(line.key, line);
    if (trainer.syntax == "shell") {
        const Value command = interpreter.evaluated(trainer.command);
        written.text = "#!/bin/bash\n" + comment(about) + shell(lines, text_of(command));
    } else if (trainer.syntax == "json") {
        JsonWriter json;
        json.begin_object();
        write_json(all, json);
        json.end_object();
        written.text = json.take();
    } else {
        written.text = comment(about);
        if (trainer.syntax == "toml")
            write_toml(all, {}, written.text);
        else
            write_yaml(all, {}, written.text);
    }
    return written;
}

}  // namespace scalescope::formats::trainers
