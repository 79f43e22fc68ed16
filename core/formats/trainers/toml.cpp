// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <sstream>
#include <toml.hpp>

#include "core/base/limits.hpp"
#include "core/formats/trainers/settings.hpp"

namespace scalescope::formats::trainers {
namespace {

std::string text_of(const toml::value& value) {
    if (value.is_string()) return value.as_string().str;
    if (value.is_boolean()) return value.as_boolean() ? "true" : "false";
    if (value.is_integer()) return std::to_string(value.as_integer());
    std::ostringstream out;
    out.imbue(std::locale::classic());
    if (value.is_floating())
        out << value.as_floating();
    else
        out << value;
    return out.str();
}

void flatten(const toml::value& value, const std::string& path, const std::string& file, Settings& settings) {
    if (value.is_table()) {
        for (const auto& [name, member] : value.as_table())
            flatten(member, path + (path.empty() ? "" : ".") + plain_key(name), file, settings);
        return;
    }
    Setting setting{path, {}, {file, static_cast<int>(value.location().line()), 1}};
    if (value.is_array()) {
        for (const auto& element : value.as_array())
            setting.value += (setting.value.empty() ? "" : " ") + text_of(element);
    } else {
        setting.value = text_of(value);
    }
    settings.all.push_back(std::move(setting));
}

/// The parser recurses for each bracket.
bool too_deep(std::string_view text) {
    int depth = 0;
    for (const char c : text) {
        depth += c == '[' || c == '{' ? 1 : 0;
        depth -= (c == ']' || c == '}') && depth > 0 ? 1 : 0;
        if (depth > limits::json_depth) return true;
    }
    return false;
}

}  // namespace

Result<Settings> read_toml(std::string_view text, const std::string& file) {
    Settings settings;
    settings.syntax = Syntax::toml;
    // The library counts the lines in front of each value.
    if (too_deep(text) || std::ranges::count(text, '\n') > limits::configuration_lines)
        return fail(make_error("The configuration has too many or too deeply nested keys.",
                               "Keep only the trainer's arguments.", {file, 0, 0}));
    try {
        std::istringstream in{std::string(text)};
        flatten(toml::parse(in, file), {}, file, settings);
    } catch (const std::exception& e) {  // the message shows the lines again
        const std::string_view what = e.what();
        return fail(make_error("This is not valid TOML: " + std::string(what.substr(0, what.find('\n'))) + ".",
                               "Correct the line.", {file, 0, 0}));
    }
    // Tables of the library are not ordered.
    std::ranges::stable_sort(settings.all, {}, [](const Setting& s) { return s.at.line; });
    return settings;
}

}  // namespace scalescope::formats::trainers
