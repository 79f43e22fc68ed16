// SPDX-License-Identifier: GPL-3.0-or-later
#include <yaml-cpp/yaml.h>

#include "core/base/limits.hpp"
#include "core/formats/trainers/settings.hpp"

namespace scalescope::formats::trainers {
namespace {

class Flattener {
public:
    Flattener(const std::string& file, Settings& settings) : file_(file), settings_(settings) {}

    /// False if an alias repeats more than the limits allow.
    bool flatten(const YAML::Node& node, const std::string& path, int line, int depth) {
        if (depth > limits::json_depth || settings_.all.size() > limits::configuration_settings) return false;
        if (node.IsMap()) {
            for (const auto& member : node) {
                if (!member.first.IsScalar()) continue;
                if (!flatten(member.second, path + (path.empty() ? "" : ".") + plain_key(member.first.Scalar()),
                             member.first.Mark().line + 1, depth + 1))
                    return false;
            }
            return true;
        }
        Setting setting{path, {}, {file_, line, 1}};
        if (node.IsSequence()) {
            int number = 0;
            for (const auto& element : node) {
                if (!element.IsScalar()) {
                    const auto name = path + '.' + std::to_string(number++);
                    if (!flatten(element, name, element.Mark().line + 1, depth + 1)) return false;
                    continue;
                }
                setting.value += (setting.value.empty() ? "" : " ") + element.Scalar();
            }
            if (number > 0) return true;
        } else {
            setting.value = node.IsScalar() ? node.Scalar() : "null";
        }
        settings_.all.push_back(std::move(setting));
        return true;
    }

private:
    const std::string& file_;
    Settings& settings_;
};

}  // namespace

Result<Settings> read_yaml(std::string_view text, const std::string& file) {
    Settings settings;
    settings.syntax = Syntax::yaml;
    try {
        const YAML::Node root = YAML::Load(std::string(text));
        if (!Flattener(file, settings).flatten(root, {}, 1, 0))
            return fail(make_error("The configuration has too many or too deeply nested keys.",
                                   "Keep only the trainer's arguments.", {file, 0, 0}));
    } catch (const YAML::Exception& e) {
        return fail(make_error("This is not valid YAML: " + e.msg + ".", "Correct the line.",
                               {file, e.mark.line + 1, e.mark.column + 1}));
    }
    return settings;
}

}  // namespace scalescope::formats::trainers
