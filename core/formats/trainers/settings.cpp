// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/trainers/settings.hpp"
#include "core/formats/trainers/characters.hpp"

#include <algorithm>

#include "core/base/limits.hpp"
#include "core/formats/hugging_face/expression.hpp"
#include "core/formats/json_document.hpp"

namespace scalescope::formats::trainers {
namespace {

bool is_key_character(char c) { return goes_on_name(c) || c == '-' || c == '.' || c == '"' || c == '\''; }

/// "[section]" alone on its line.
bool is_toml_header(std::string_view line) {
    return line.size() > 2 && line.front() == '[' && line.back() == ']' &&
           std::ranges::all_of(line.substr(1, line.size() - 2),
                               [](char c) { return is_key_character(c) || c == '[' || c == ']'; });
}

/// "key:" or "key: value".
bool is_yaml_member(std::string_view line) {
    const auto colon = line.find(':');
    return colon != std::string_view::npos && colon > 0 && (colon + 1 == line.size() || line[colon + 1] == ' ') &&
           std::ranges::all_of(line.substr(0, colon), is_key_character);
}

Syntax syntax_of(std::string_view text) {
    if (text.find("Trainer.Config(") != std::string_view::npos ||
        text.find("ParallelismConfig(") != std::string_view::npos)
        return Syntax::python;
    const std::string_view all = text;
    if (text.starts_with("#!")) return Syntax::shell;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = without_blanks(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#' || line == "---") continue;
        if (line.front() == '{') return Syntax::json;
        if (is_toml_header(line)) return Syntax::toml;
        return is_yaml_member(line) ? Syntax::yaml : Syntax::shell;
    }
    return all.empty() ? Syntax::yaml : Syntax::shell;
}

void flatten(JsonValue value, const std::string& path, const std::string& file, Settings& settings) {
    if (value.is_object()) {
        for (const JsonValue member : value)
            flatten(member, path + (path.empty() ? "" : ".") + plain_key(member.key()), file, settings);
        return;
    }
    Setting setting{path, {}, value.key_at()};
    setting.at.file = file;
    if (value.is_array()) {
        int number = 0;
        for (const JsonValue element : value) {
            if (element.is_object() || element.is_array()) {
                flatten(element, path + '.' + std::to_string(number++), file, settings);
                continue;
            }
            setting.value += setting.value.empty() ? "" : " ";
            setting.value += element.is_string() ? element.text() : element.source();
        }
        if (number > 0) return;
    } else {
        setting.value = value.is_string() ? value.text() : value.source();
    }
    settings.all.push_back(std::move(setting));
}

/// Without the underscores in numbers, and on one line.
std::string ungrouped(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool grouping =
            text[i] == '_' && i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]);
        if (!grouping) plain += text[i] == '\t' || text[i] == '\n' ? ' ' : text[i];
    }
    return plain;
}

/// Names are variables of `value_of`; nothing else can be asked for, and faults make no value.
class Variables final : public hugging_face::Scope {
public:
    explicit Variables(const std::function<std::string(const std::string&)>& value_of) : value_of_(value_of) {}
    hugging_face::Value value_of(const std::string& name, const SourcePosition& at) override {
        const std::string text = ungrouped(value_of_(name));
        hugging_face::ExpressionReader reader(text, at);
        const auto read = reader.expression();
        if (reader.problem() || !reader.ended() || !read.value.whole()) failed = true;
        return read.value;
    }
    bool has(const std::string&) override { return !(failed = true); }
    hugging_face::Value fault(const SourcePosition&, std::string, std::string) override {
        failed = true;
        return {};
    }
    bool failed = false;

private:
    const std::function<std::string(const std::string&)>& value_of_;
};

}  // namespace

const Setting* find(const Settings& settings, std::string_view key) {
    const auto found = std::find_if(settings.all.rbegin(), settings.all.rend(),
                                    [&](const Setting& setting) { return setting.key == key; });
    return found == settings.all.rend() ? nullptr : &*found;
}

std::string plain_key(std::string_view key) {
    while (key.starts_with('-')) key.remove_prefix(1);
    std::string plain(key);
    std::ranges::replace(plain, '-', '_');
    return plain;
}

std::string arithmetic(std::string_view text, const std::function<std::string(const std::string&)>& value_of) {
    const std::string plain = ungrouped(text);
    if (plain.size() > limits::expression_bytes) return {};
    hugging_face::ExpressionReader reader(plain, {});
    const auto expression = reader.expression();
    if (reader.problem() || !reader.ended()) return {};
    Variables variables(value_of);
    const auto value = evaluate(expression, variables);
    return variables.failed || !value.whole() ? std::string() : text_of(value);
}

Result<Settings> read_json(std::string_view text, const std::string& file) {
    const auto document = parse_json(text, file);
    if (!document) {  // YAML has the same braces, and comments, commas before them and other numbers
        auto yaml = read_yaml(text, file);
        return yaml ? std::move(yaml) : Result<Settings>(tl::unexpected(document.error()));
    }
    Settings settings;
    settings.syntax = Syntax::json;
    flatten(document->root(), {}, file, settings);
    return settings;
}

Result<Settings> read_settings(std::string_view text, const std::string& file) {
    if (text.size() > limits::configuration_bytes)
        return fail(make_error("The training configuration is larger than 1 MiB.", "Keep only the trainer's arguments.",
                               {file, 0, 0}));
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    auto settings = [&]() -> Result<Settings> {
        switch (syntax_of(text)) {
            case Syntax::json: return read_json(text, file);
            case Syntax::yaml: return read_yaml(text, file);
            case Syntax::toml: return read_toml(text, file);
            case Syntax::python: return read_python(text, file);
            case Syntax::shell: break;
        }
        return read_shell(text, file);
    }();
    if (settings) interpolate(*settings);
    return settings;
}

}  // namespace scalescope::formats::trainers
