// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>

#include "core/base/limits.hpp"
#include "core/formats/trainers/settings.hpp"

namespace scalescope::formats::trainers {
namespace {

/// Evaluates the references of one configuration.
class Interpolation {
public:
    explicit Interpolation(Settings& settings) : settings_(settings) {}

    void all() {
        for (Setting& setting : settings_.all) {
            if (!setting.known || setting.value.find("${") == std::string::npos) {
                setting.known &= setting.value != "???";
                continue;
            }
            steps_ = 0;
            assumed_ = false;
            const auto value = text(setting.value, setting.key, 0);
            if (value) {
                setting.value = *value;
                setting.assumed |= assumed_;
            }
            setting.known = value && *value != "???";
        }
    }

private:
    /// The text with its references replaced; nothing if one of them has no value.
    std::optional<std::string> text(std::string_view from, const std::string& key, int depth) {
        if (depth > limits::configuration_expansions || ++steps_ > 1000) return std::nullopt;
        std::string result;
        while (!from.empty()) {
            const auto begin = from.find("${");
            result += from.substr(0, begin);
            if (begin == std::string_view::npos || result.size() > limits::configuration_value_bytes) break;
            from.remove_prefix(begin + 2);
            std::size_t end = 0;
            for (int open = 1; end < from.size(); ++end) {
                open += from[end] == '{' ? 1 : from[end] == '}' ? -1 : 0;
                if (open == 0) break;
            }
            if (end == from.size()) return std::nullopt;
            const auto value = reference(from.substr(0, end), key, depth);
            if (!value) return std::nullopt;
            result += *value;
            from.remove_prefix(end + 1);
        }
        return result;
    }

    std::optional<std::string> reference(std::string_view inside, const std::string& key, int depth) {
        const auto colon = inside.find(':');
        if (colon != std::string_view::npos)
            return function(inside.substr(0, colon), inside.substr(colon + 1), key, depth);
        std::string path(inside);
        if (inside.starts_with('.')) {  // one dot is the section of the key, each further one the section above
            std::string base = key;
            std::size_t dots = 0;
            for (; dots < inside.size() && inside[dots] == '.'; ++dots)
                base = base.rfind('.') == std::string::npos ? std::string() : base.substr(0, base.rfind('.'));
            path = base + (base.empty() ? "" : ".") + std::string(inside.substr(dots));
        }
        const Setting* found = find(settings_, plain_key(path));
        // Inside the Launcher's merged form, paths begin at its section.
        if (!found && key.find('.') != std::string::npos)
            found = find(settings_, key.substr(0, key.find('.') + 1) + plain_key(path));
        if (!found || !found->known) return std::nullopt;
        return text(found->value, found->key, depth + 1);
    }

    std::optional<std::string> function(std::string_view name, std::string_view arguments, const std::string& key,
                                        int depth) {
        const auto value = text(arguments, key, depth + 1);
        if (!value) return std::nullopt;
        const auto comma = value->find(',');
        if (name == "oc.env" || name == "env") {
            if (comma == std::string::npos) return std::nullopt;
            assumed_ = true;
            return value->substr(comma + 1);
        }
        const char operation = name == "multiply" || name == "mul"   ? '*'
                               : name == "divide" || name == "div"   ? '/'
                               : name == "sum" || name == "add"      ? '+'
                               : name == "subtract" || name == "sub" ? '-'
                                                                     : '\0';
        if (operation == '\0') return std::nullopt;
        std::string expression = *value;
        std::ranges::replace(expression, ',', operation);
        const std::string result = arithmetic(expression, [](const std::string&) { return std::string(); });
        return result.empty() ? std::nullopt : std::optional(result);
    }

    Settings& settings_;
    int steps_ = 0;
    bool assumed_ = false;
};

}  // namespace

void interpolate(Settings& settings) { Interpolation(settings).all(); }

}  // namespace scalescope::formats::trainers
