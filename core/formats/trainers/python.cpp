// SPDX-License-Identifier: GPL-3.0-or-later
// Configurations in Python: keyword arguments with literal values, in calls inside each other. Nothing is imported or
// run.
#include <algorithm>

#include "core/base/limits.hpp"
#include "core/formats/trainers/characters.hpp"
#include "core/formats/trainers/settings.hpp"

namespace scalescope::formats::trainers {
namespace {

class Source {
public:
    Source(std::string_view text, const std::string& file) : text_(text), file_(file) {
        settings_.syntax = Syntax::python;
    }

    Settings read() {
        std::size_t at = 0;
        int depth = 0;
        while (at < text_.size() && settings_.all.size() < limits::configuration_settings) {
            const char c = text_[at];
            if (c == '#' || c == '"' || c == '\'') {
                at = skipped(at);
            } else if (starts_name(c)) {
                const std::size_t begin = at;
                while (at < text_.size() && (goes_on_name(text_[at]) || text_[at] == '.')) ++at;
                const auto name = text_.substr(begin, at - begin);
                std::size_t next = at;
                while (next < text_.size() && (text_[next] == ' ' || text_[next] == '\n')) ++next;
                if (depth == 0 && name == "def")
                    function(next);
                else if (depth > 0 && next + 1 < text_.size() && text_[next] == '=' && text_[next + 1] != '=')
                    keyword(std::string(name), begin, next + 1);
            } else {
                depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
                ++at;
            }
        }
        return std::move(settings_);
    }

private:
    /// Behind the comment or the quoted text at `at`.
    std::size_t skipped(std::size_t at) const {
        const char c = text_[at];
        if (c == '#') return std::min(text_.find('\n', at), text_.size());
        if (c != '"' && c != '\'') return at + 1;
        const bool thrice = text_.substr(at, 3) == std::string(3, c);
        if (thrice) return std::min(text_.find(std::string(3, c), at + 3), text_.size() - 3) + 3;
        for (++at; at < text_.size() && text_[at] != c && text_[at] != '\n';) at += text_[at] == '\\' ? 2 : 1;
        return std::min(at + 1, text_.size());
    }

    SourcePosition position(std::size_t at) {
        if (at >= counted_) line_ += static_cast<int>(std::ranges::count(text_.substr(counted_, at - counted_), '\n'));
        counted_ = std::max(counted_, at);
        return {file_, line_, 0};
    }

    /// Only the first function that makes a configuration counts.
    void function(std::size_t at) {
        const auto name = text_.substr(at, std::min(text_.find('(', at), text_.size()) - at);
        if (find(settings_, "function")) {
            settings_.notes.push_back(
                make_warning("The file has several functions; the last one that sets a key counts.",
                             "Keep only the function of the run that you want.", position(at)));
            return;
        }
        settings_.all.push_back({"function", std::string(without_blanks(name)), position(at)});
    }

    /// `key=value` up to the comma or bracket behind it. Of a call: its name and its first text, "model_registry 8B".
    void keyword(std::string key, std::size_t key_at, std::size_t begin) {
        std::size_t end = begin;
        int depth = 0;
        constexpr std::size_t longest = 4096;  // a call may be longer: only its beginning counts
        for (; end < text_.size() && end - begin < longest; end = skipped(end)) {
            const char c = text_[end];
            if (depth == 0 && (c == ',' || c == ')')) break;
            depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        }
        const std::string_view value = without_blanks(text_.substr(begin, end - begin));
        Setting setting{std::move(key), std::string(value), position(key_at)};
        const auto call = value.find('(');
        if (!value.empty() && (value.front() == '"' || value.front() == '\'')) {
            setting.value = value.substr(1, value.size() - (value.size() > 1 ? 2 : 1));
        } else if (call != std::string_view::npos && call > 0 && starts_name(value.front())) {
            setting.value = value.substr(0, call);
            const auto quote = value.find_first_of("\"'", call);
            if (quote == call + 1) {
                const auto last = std::min(value.find(value[quote], quote + 1), value.size());
                setting.value += ' ' + std::string(value.substr(quote + 1, last - quote - 1));
            }
        } else if (const auto number = arithmetic(value, [](const std::string&) { return std::string(); });
                   !number.empty()) {
            setting.value = number;
        }
        settings_.all.push_back(std::move(setting));
    }

    std::string_view text_;
    const std::string& file_;
    std::size_t counted_ = 0;  ///< characters in front of line_'s
    int line_ = 1;
    Settings settings_;
};

}  // namespace

Result<Settings> read_python(std::string_view text, const std::string& file) { return Source(text, file).read(); }

}  // namespace scalescope::formats::trainers
