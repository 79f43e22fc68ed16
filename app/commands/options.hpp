// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/command.hpp"
#include "app/commands/output.hpp"

namespace scalescope::app {

/// The words after a verb, checked: what Options promised holds.
class Arguments {
public:
    const std::vector<std::string>& positionals() const { return positionals_; }
    const std::string& positional(std::size_t i) const { return positionals_.at(i); }

    bool has(std::string_view option) const { return !values(option).empty(); }
    /// The text given last; nothing if the option is not there.
    std::optional<std::string> value(std::string_view option) const;
    /// Every text given, in order.
    const std::vector<std::string>& values(std::string_view option) const;
    /// Of options declared as integer, number, integers and words.
    std::optional<std::int64_t> integer(std::string_view option) const;
    std::optional<double> number(std::string_view option) const;
    std::vector<std::int64_t> integers(std::string_view option) const;
    std::vector<std::string> words(std::string_view option) const;

    OutputFormat format() const;

private:
    friend class Options;
    std::vector<std::string> positionals_;
    std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

/// What a verb understands. Declares, parses, checks and explains itself:
///
///     Options options(sweep_command);
///     options.positional("SCENARIO", "a file, or the name of a preset");
///     options.values("vary", "PATH=A,B,C", "the field to vary").required();
///     options.table_format();
///     const auto arguments = options.parse(words, out, err);
///     if (!arguments) return arguments.error();
class Options {
public:
    explicit Options(const Command& command) : command_(&command) {}

    /// A word without a name: exactly one, or from `least` to `most`.
    Options& positional(std::string name, std::string text, std::size_t least = 1, std::size_t most = 1);
    /// --name VALUE, once; `values` may be repeated.
    Options& value(std::string name, std::string placeholder, std::string text);
    Options& values(std::string name, std::string placeholder, std::string text);
    Options& flag(std::string name, std::string text);
    /// One of a few words; `words` takes several, separated by commas, and may be repeated.
    Options& choice(std::string name, std::vector<std::string> choices, std::string text);
    Options& words(std::string name, std::vector<std::string> choices, std::string text);
    /// Whole numbers from `least` to `most`; `integers` takes several, separated by commas, and may be repeated.
    Options& integer(std::string name, std::string text, std::int64_t least, std::int64_t most);
    Options& integers(std::string name, std::string text, std::int64_t least, std::int64_t most);
    /// A finite number from `least` to `most`.
    Options& number(std::string name, std::string text, double least, double most);
    /// The option declared last must be given.
    Options& required();
    /// --format table|csv|json, read with Arguments::format().
    Options& table_format();

    /// What was given, or the exit code after help (0) or a message about wrong usage (2) was written.
    tl::expected<Arguments, int> parse(std::span<const std::string> words, std::ostream& out, std::ostream& err) const;

    std::string help() const;
    const Command& command() const { return *command_; }

private:
    enum class Kind { text, flag, choice, words, integer, integers, number };
    struct Option {
        std::string name, placeholder, text;
        Kind kind = Kind::text;
        bool repeatable = false;
        bool required = false;
        std::vector<std::string> choices;
        std::int64_t least = 0, most = 0;
        double least_number = 0.0, most_number = 0.0;
    };
    struct Positional {
        std::string name, text;
        std::size_t least = 1, most = 1;
    };

    Options& add(Option option);
    const Option* find(std::string_view name) const;
    /// What is wrong with a value, or nothing.
    static std::string check(const Option& option, const std::string& value);
    std::string read(std::span<const std::string> words, Arguments& arguments) const;
    std::string read_option(const std::string& word, std::span<const std::string>& rest, Arguments& arguments) const;
    std::string check_complete(const Arguments& arguments) const;
    std::string usage() const;

    const Command* command_;
    std::vector<Option> options_;
    std::vector<Positional> positionals_;
};

}  // namespace scalescope::app
