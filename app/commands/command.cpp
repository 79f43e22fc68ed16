// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.hpp"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <vector>

#include "app/commands/output.hpp"
#include "core/base/suggest.hpp"
#include "core/formats/scenario_text.hpp"

namespace scalescope::app {
namespace {

std::string first_word(std::string_view name) { return std::string(name.substr(0, name.find(' '))); }

/// Verbs of two words that begin with this one.
std::vector<Command> family_of(std::span<const Command> commands, std::string_view first) {
    std::vector<Command> family;
    for (const Command& command : commands)
        if (command.name.size() > first.size() && command.name.starts_with(first) && command.name[first.size()] == ' ')
            family.push_back(command);
    return family;
}

void print_verbs(std::span<const Command> commands, std::ostream& out) {
    std::size_t width = 0;
    for (const Command& command : commands) width = std::max(width, command.name.size());
    for (const Command& command : commands) {
        out << "  " << command.name << std::string(width - command.name.size() + 2, ' ') << command.summary << '\n';
    }
}

void print_family(const std::string& first, std::span<const Command> family, std::ostream& out) {
    out << "Usage:\n  scalescope " << first << " VERB [ARGUMENT…]\n\nVerbs:\n";
    print_verbs(family, out);
    out << "\n  --help  after a verb: its options\n\nExample:\n  " << family.front().example << '\n';
}

void print_help(std::span<const Command> commands, std::ostream& out) {
    out << "Scalescope explores how the training of neural networks scales over many devices.\n\n"
           "Usage:\n"
           "  scalescope [FILE…]           open the window\n"
           "  scalescope VERB [ARGUMENT…]  without a display\n\n"
           "Verbs:\n";
    print_verbs(commands, out);
    out << "\n"
           "  --help     this text; after a verb, that verb's options, as help VERB has them\n"
           "  --version  the version\n";
    if (!commands.empty()) out << "\nExample:\n  " << commands.front().example << '\n';
}

/// How many of the arguments spell this verb; 0 if they do not.
std::size_t words_matched(std::string_view name, std::span<const std::string> arguments) {
    std::size_t words = 0;
    while (!name.empty()) {
        const std::string word = first_word(name);
        if (words == arguments.size() || arguments[words] != word) return 0;
        ++words;
        name.remove_prefix(std::min(name.size(), word.size() + 1));
    }
    return words;
}

/// A file, or a scenario as text, to open in the window, rather than a verb gone wrong.
bool looks_like_a_file(const std::string& argument) {
    std::error_code ignored;
    return formats::is_link(argument) || argument.find_first_of("./\\") != std::string::npos ||
           std::filesystem::exists(argument, ignored);
}

int unknown_verb(std::span<const Command> commands, std::span<const std::string> arguments, std::ostream& err) {
    std::string one_of;
    for (const Command& command : family_of(commands, arguments.front()))
        one_of += (one_of.empty() ? "" : " or ") + std::string(command.name);
    if (!one_of.empty()) {
        err << "scalescope " << arguments.front() << ": which one? Write " << one_of << ".\n";
        return exit_usage;
    }
    std::vector<std::string> names;
    for (const Command& command : commands) {
        names.emplace_back(command.name);
        if (first_word(command.name) != command.name) names.push_back(first_word(command.name));
    }
    err << "scalescope: there is no verb and no file '" << arguments.front() << "'";
    if (const auto meant = closest(arguments.front(), names)) err << "; did you mean " << *meant << "?";
    err << "\nTry: scalescope --help\n";
    return exit_usage;
}

}  // namespace

std::optional<int> run_command_line(std::span<const Command> commands, std::string_view version,
                                    std::span<const std::string> arguments, std::ostream& out, std::ostream& err) {
    if (arguments.empty()) return std::nullopt;
    const std::string& first = arguments.front();
    if (first == "help" && arguments.size() > 1) {
        std::vector<std::string> about(arguments.begin() + 1, arguments.end());
        about.emplace_back("--help");
        if (const auto code = run_command_line(commands, version, about, out, err)) return code;
    }
    if (first == "--help" || first == "-h" || first == "help") {
        print_help(commands, out);
        return exit_done;
    }
    if (first == "--version") {
        out << "scalescope " << version << '\n';
        return exit_done;
    }
    for (const Command& command : commands) {
        const std::size_t words = words_matched(command.name, arguments);
        if (words > 0) return command.run(arguments.subspan(words), out, err);
    }
    const auto family = family_of(commands, first);
    if (!family.empty() && arguments.size() == 2 && (arguments[1] == "--help" || arguments[1] == "-h")) {
        print_family(first, family, out);
        return exit_done;
    }
    if (family.empty() && (first.empty() || first.front() == '-' || looks_like_a_file(first))) return std::nullopt;
    return unknown_verb(commands, arguments, err);
}

int report(std::ostream& err, const Problems& problems) {
    int code = exit_done;
    for (const Problem& problem : problems) {
        err << for_terminal(to_text(problem)) << '\n';
        if (problem.severity == Severity::error) code = exit_input;
    }
    return code;
}

}  // namespace scalescope::app
