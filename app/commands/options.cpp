// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ostream>

#include "core/base/suggest.hpp"

namespace scalescope::app {
namespace {

std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t comma = text.find(',');
        parts.emplace_back(text.substr(0, comma));
        if (comma == std::string_view::npos) return parts;
        text.remove_prefix(comma + 1);
    }
}

template <class T>
std::optional<T> parsed(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

template <class T>
std::string shown(T value) {
    std::array<char, 32> buffer{};
    return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

std::string joined(const std::vector<std::string>& words, std::string_view last) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? std::string(last) : std::string(", ");
        text += words[i];
    }
    return text;
}

/// "  name  text", the text wrapped at 100 columns beside the longest name.
void add_line(std::string& help, const std::string& name, std::string_view text, std::size_t width) {
    constexpr std::size_t columns = 100;
    std::string line = "  " + name + std::string(width - name.size() + 2, ' ');
    const std::size_t indent = width + 4;
    bool fresh = true;
    while (!text.empty()) {
        const std::size_t space = text.find(' ');
        const std::string_view word = text.substr(0, space);
        if (!fresh && line.size() + 1 + word.size() > columns) {
            help += line + '\n';
            line = std::string(indent, ' ');
            fresh = true;
        }
        if (!fresh) line += ' ';
        line += word;
        fresh = false;
        text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    }
    help += line + '\n';
}

}  // namespace

std::optional<std::string> Arguments::value(std::string_view option) const {
    const auto& all = values(option);
    return all.empty() ? std::nullopt : std::optional(all.back());
}

const std::vector<std::string>& Arguments::values(std::string_view option) const {
    static const std::vector<std::string> none;
    const auto found = values_.find(option);
    return found == values_.end() ? none : found->second;
}

std::optional<std::int64_t> Arguments::integer(std::string_view option) const {
    const auto text = value(option);
    return text ? parsed<std::int64_t>(*text) : std::nullopt;
}

std::optional<double> Arguments::number(std::string_view option) const {
    const auto text = value(option);
    return text ? parsed<double>(*text) : std::nullopt;
}

std::vector<std::int64_t> Arguments::integers(std::string_view option) const {
    std::vector<std::int64_t> result;
    for (const std::string& word : words(option)) result.push_back(parsed<std::int64_t>(word).value_or(0));
    return result;
}

std::vector<std::string> Arguments::words(std::string_view option) const {
    std::vector<std::string> all;
    for (const std::string& text : values(option))
        for (std::string& word : split(text)) all.push_back(std::move(word));
    return all;
}

OutputFormat Arguments::format() const {
    const std::string name = value("format").value_or("table");
    return name == "csv" ? OutputFormat::csv : name == "json" ? OutputFormat::json : OutputFormat::table;
}

Options& Options::add(Option option) {
    options_.push_back(std::move(option));
    return *this;
}

Options& Options::positional(std::string name, std::string text, std::size_t least, std::size_t most) {
    positionals_.push_back({std::move(name), std::move(text), least, most});
    return *this;
}

Options& Options::value(std::string name, std::string placeholder, std::string text) {
    Option option;
    option.name = std::move(name);
    option.placeholder = std::move(placeholder);
    option.text = std::move(text);
    return add(std::move(option));
}

Options& Options::values(std::string name, std::string placeholder, std::string text) {
    value(std::move(name), std::move(placeholder), std::move(text) + "; may be repeated");
    options_.back().repeatable = true;
    return *this;
}

Options& Options::flag(std::string name, std::string text) {
    value(std::move(name), {}, std::move(text));
    options_.back().kind = Kind::flag;
    return *this;
}

Options& Options::choice(std::string name, std::vector<std::string> choices, std::string text) {
    std::string placeholder;
    for (const std::string& word : choices) placeholder += (placeholder.empty() ? "" : "|") + word;
    value(std::move(name), std::move(placeholder), std::move(text));
    options_.back().kind = Kind::choice;
    options_.back().choices = std::move(choices);
    return *this;
}

Options& Options::words(std::string name, std::vector<std::string> choices, std::string text) {
    value(std::move(name), joined(choices, ","), std::move(text));
    options_.back().placeholder.erase(
        std::remove(options_.back().placeholder.begin(), options_.back().placeholder.end(), ' '),
        options_.back().placeholder.end());
    options_.back().kind = Kind::words;
    options_.back().repeatable = true;
    options_.back().choices = std::move(choices);
    return *this;
}

Options& Options::integer(std::string name, std::string text, std::int64_t least, std::int64_t most) {
    value(std::move(name), "N", std::move(text));
    options_.back().kind = Kind::integer;
    options_.back().least = least;
    options_.back().most = most;
    return *this;
}

Options& Options::integers(std::string name, std::string text, std::int64_t least, std::int64_t most) {
    integer(std::move(name), std::move(text), least, most);
    options_.back().kind = Kind::integers;
    options_.back().repeatable = true;
    options_.back().placeholder = "N,N";
    return *this;
}

Options& Options::number(std::string name, std::string text, double least, double most) {
    value(std::move(name), "X", std::move(text));
    options_.back().kind = Kind::number;
    options_.back().least_number = least;
    options_.back().most_number = most;
    return *this;
}

Options& Options::required() {
    options_.back().required = true;
    return *this;
}

Options& Options::table_format() {
    return choice("format", {"table", "csv", "json"}, "how to write the result: aligned for people, or for programs");
}

const Options::Option* Options::find(std::string_view name) const {
    const auto found = std::find_if(options_.begin(), options_.end(), [&](const Option& o) { return o.name == name; });
    return found == options_.end() ? nullptr : &*found;
}

std::string Options::check(const Option& option, const std::string& value) {
    const auto within = [&](const std::string& word) {
        const auto number = parsed<std::int64_t>(word);
        return number && *number >= option.least && *number <= option.most;
    };
    const auto known = [&](const std::string& word) {
        return std::find(option.choices.begin(), option.choices.end(), word) != option.choices.end();
    };
    const std::string refused = "--" + option.name + " cannot be '" + value + "'; ";
    const std::string range = "from " + shown(option.least) + " to " + shown(option.most);
    const std::vector<std::string> parts = split(value);
    switch (option.kind) {
        case Kind::text:
        case Kind::flag: return {};
        case Kind::choice: return known(value) ? std::string() : refused + "it is " + joined(option.choices, " or ");
        case Kind::words:
            return std::all_of(parts.begin(), parts.end(), known)
                       ? std::string()
                       : refused + "it is one or more of " + joined(option.choices, " and ") + ", with commas";
        case Kind::integer: return within(value) ? std::string() : refused + "it is a whole number " + range;
        case Kind::integers:
            return std::all_of(parts.begin(), parts.end(), within)
                       ? std::string()
                       : refused + "it is whole numbers " + range + ", with commas";
        case Kind::number: {
            const auto number = parsed<double>(value);
            if (number && std::isfinite(*number) && *number >= option.least_number && *number <= option.most_number) {
                return {};
            }
            return refused + "it is a number from " + shown(option.least_number) + " to " + shown(option.most_number);
        }
    }
    return {};
}

std::string Options::read_option(const std::string& word, std::span<const std::string>& rest,
                                 Arguments& arguments) const {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    const Option* option = word.substr(0, 2) == "--" ? find(name) : nullptr;
    if (!option) {
        std::vector<std::string> names = {"--help"};
        for (const Option& o : options_) names.push_back("--" + o.name);
        const std::string given = word.substr(0, equals);
        const auto meant = closest(given, names);
        return "there is no option " + given + (meant ? "; did you mean " + *meant + "?" : std::string());
    }
    std::string value;
    if (option->kind == Kind::flag) {
        if (equals != std::string::npos) return "--" + name + " takes no value";
    } else if (equals != std::string::npos) {
        value = word.substr(equals + 1);
    } else if (rest.empty() || rest.front().substr(0, 2) == "--") {
        return "--" + name + " needs a value: --" + name + ' ' + option->placeholder;
    } else {
        value = rest.front();
        rest = rest.subspan(1);
    }
    auto& values = arguments.values_[name];
    if (!values.empty() && !option->repeatable) return "--" + name + " was given twice";
    values.push_back(value);
    return check(*option, value);
}

std::string Options::read(std::span<const std::string> words, Arguments& arguments) const {
    bool options_may_follow = true;
    while (!words.empty()) {
        const std::string& word = words.front();
        words = words.subspan(1);
        if (options_may_follow && word == "--") {
            options_may_follow = false;
        } else if (options_may_follow && word.size() > 1 && word.front() == '-') {
            std::string wrong = read_option(word, words, arguments);
            if (!wrong.empty()) return wrong;
        } else {
            arguments.positionals_.push_back(word);
        }
    }
    return check_complete(arguments);
}

std::string Options::check_complete(const Arguments& arguments) const {
    std::size_t least = 0;
    std::size_t most = 0;
    for (const Positional& p : positionals_) {
        if (arguments.positionals_.size() < least + p.least) return p.name + " is missing: " + p.text;
        least += p.least;
        most = p.most > SIZE_MAX - most ? SIZE_MAX : most + p.most;
    }
    if (arguments.positionals_.size() > most) {
        return "'" + arguments.positionals_[most] + "' is one argument too many";
    }
    for (const Option& option : options_) {
        if (option.required && !arguments.has(option.name)) {
            return "--" + option.name + " is missing: " + option.text;
        }
    }
    return {};
}

tl::expected<Arguments, int> Options::parse(std::span<const std::string> words, std::ostream& out,
                                            std::ostream& err) const {
    for (const std::string& word : words) {
        if (word == "--") break;
        if (word == "--help" || word == "-h") {
            out << help();
            return tl::unexpected(exit_done);
        }
    }
    Arguments arguments;
    const std::string wrong = read(words, arguments);
    if (wrong.empty()) return arguments;
    return tl::unexpected(wrong_usage(err, command_->name, wrong));
}

std::string Options::usage() const {
    std::string text = "scalescope " + std::string(command_->name);
    for (const Positional& p : positionals_) {
        const std::string name = p.name + (p.most > 1 ? "…" : "");
        text += p.least == 0 ? " [" + name + ']' : ' ' + name;
    }
    for (const Option& option : options_) {
        if (option.required) text += " --" + option.name + ' ' + option.placeholder;
    }
    return text + " [OPTION…]";
}

std::string Options::help() const {
    std::vector<std::pair<std::string, std::string>> lines;
    for (const Option& option : options_) {
        std::string name = "--" + option.name;
        if (!option.placeholder.empty()) name += ' ' + option.placeholder;
        lines.emplace_back(std::move(name), option.text);
    }
    lines.emplace_back("--help", "this text");
    std::size_t width = 0;
    for (const Positional& p : positionals_) width = std::max(width, p.name.size());
    for (const auto& line : lines) width = std::max(width, line.first.size());
    width = std::min<std::size_t>(width, 34);

    std::string text = "scalescope " + std::string(command_->name) + ": " + std::string(command_->summary) +
                       "\n\nUsage:\n  " + usage() + "\n\n";
    for (const Positional& p : positionals_) add_line(text, p.name, p.text, width);
    if (!positionals_.empty()) text += '\n';
    for (const auto& line : lines) {
        const bool fits = line.first.size() <= width;
        if (!fits) text += "  " + line.first + '\n';
        add_line(text, fits ? line.first : std::string(), line.second, width);
    }
    return text + "\nExample:\n  " + std::string(command_->example) + '\n';
}

}  // namespace scalescope::app
