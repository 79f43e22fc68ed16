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
std::string last_word(std::string_view name) { return std::string(name.substr(name.rfind(' ') + 1)); }
bool in_a_group(const Command& command) { return command.name.find(' ') != std::string_view::npos; }

/// Verbs of two words that begin with this one.
std::vector<Command> family_of(std::span<const Command> commands, std::string_view first) {
    std::vector<Command> family;
    for (const Command& command : commands)
        if (in_a_group(command) && first_word(command.name) == first) family.push_back(command);
    return family;
}

using Lines = std::vector<std::pair<std::string, std::string>>;

void print_lines(const Lines& lines, std::ostream& out) {
    std::size_t width = 0;
    for (const auto& [name, text] : lines) width = std::max(width, name.size());
    for (const auto& [name, text] : lines)
        out << "  " << name << std::string(width - name.size() + 2, ' ') << text << '\n';
}

std::string summary_of(const CommandLine& line, std::string_view group) {
    const auto found =
        std::find_if(line.groups.begin(), line.groups.end(), [&](const Group& g) { return g.name == group; });
    return found == line.groups.end() ? std::string() : std::string(found->summary);
}

void print_family(const CommandLine& line, const std::string& first, std::span<const Command> family,
                  std::ostream& out) {
    if (const std::string summary = summary_of(line, first); !summary.empty())
        out << "scalescope " << first << ": " << summary << "\n\n";
    out << "Usage:\n  scalescope " << first << " VERB [ARGUMENT…]\n\nVerbs:\n";
    Lines lines;
    for (const Command& command : family) lines.emplace_back(command.name, command.summary);
    print_lines(lines, out);
    out << "\n  --help  after a verb: its options\n\nExample:\n  " << family.front().example << '\n';
}

/// A line for each verb and one for each group.
Lines lines_of_help(const CommandLine& line) {
    Lines lines;
    for (const Command& command : line.verbs) {
        const std::string first = first_word(command.name);
        if (!in_a_group(command)) {
            lines.emplace_back(first, command.summary);
        } else if (lines.empty() || lines.back().first != first) {
            std::string text = summary_of(line, first);
            if (!text.empty()) text += ": ";
            lines.emplace_back(first, text + last_word(command.name));
        } else {
            lines.back().second += ", " + last_word(command.name);
        }
    }
    return lines;
}

void print_help(const CommandLine& line, std::ostream& out) {
    out << "Scalescope explores how the training of neural networks scales over many devices.\n\n"
           "Usage:\n"
           "  scalescope [FILE…]           open the window\n"
           "  scalescope VERB [ARGUMENT…]  without a display\n\n"
           "Verbs:\n";
    print_lines(lines_of_help(line), out);
    out << "\n"
           "  --help     this text; after a verb, that verb's options, as help VERB has them\n"
           "  --version  the version\n";
    if (!line.verbs.empty()) out << "\nExample:\n  " << line.verbs.front().example << '\n';
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

int unknown_verb(const CommandLine& line, std::span<const std::string> arguments, std::ostream& err) {
    std::string one_of;
    for (const Command& command : family_of(line.verbs, arguments.front()))
        one_of += (one_of.empty() ? "" : " or ") + std::string(command.name);
    if (!one_of.empty()) {
        err << "scalescope " << arguments.front() << ": which one? Write " << one_of << ".\n";
        return exit_usage;
    }
    std::vector<std::string> words, names;  // what may have been meant, and what to write for it
    for (const Command& command : line.verbs) {
        for (std::string word : {std::string(command.name), last_word(command.name)}) {
            words.push_back(std::move(word));
            names.emplace_back(command.name);
        }
        words.push_back(first_word(command.name));
        names.push_back(words.back());
    }
    err << "scalescope: there is no verb and no file '" << arguments.front() << "'";
    if (const auto meant = closest(arguments.front(), words))
        err << "; did you mean "
            << names[static_cast<std::size_t>(std::find(words.begin(), words.end(), *meant) - words.begin())] << "?";
    err << "\nTry: scalescope --help\n";
    return exit_usage;
}

/// The arguments as they are spelt today; nothing if that is how they are spelt.
std::optional<std::vector<std::string>> respelt(const CommandLine& line, std::span<const std::string> arguments,
                                                std::ostream& err) {
    for (const Renamed& renamed : line.renamed) {
        const std::size_t words = words_matched(renamed.old, arguments);
        if (words == 0) continue;
        err << "scalescope: '" << renamed.old << "' is now '" << renamed.now << "'\n";
        std::vector<std::string> today;
        for (std::string_view rest = renamed.now; !rest.empty();) {
            today.push_back(first_word(rest));
            rest.remove_prefix(std::min(rest.size(), today.back().size() + 1));
        }
        today.insert(today.end(), arguments.begin() + static_cast<std::ptrdiff_t>(words), arguments.end());
        return today;
    }
    return std::nullopt;
}

}  // namespace

std::optional<int> run_command_line(const CommandLine& line, std::string_view version,
                                    std::span<const std::string> arguments, std::ostream& out, std::ostream& err) {
    if (arguments.empty()) return std::nullopt;
    if (const auto today = respelt(line, arguments, err)) return run_command_line(line, version, *today, out, err);
    const std::string& first = arguments.front();
    if (first == "help" && arguments.size() > 1) {
        std::vector<std::string> about(arguments.begin() + 1, arguments.end());
        about.emplace_back("--help");
        if (const auto code = run_command_line(line, version, about, out, err)) return code;
    }
    if (first == "--help" || first == "-h" || first == "help") {
        print_help(line, out);
        return exit_done;
    }
    if (first == "--version") {
        out << "scalescope " << version << '\n';
        return exit_done;
    }
    for (const Command& command : line.verbs) {
        const std::size_t words = words_matched(command.name, arguments);
        if (words > 0) return command.run(arguments.subspan(words), out, err);
    }
    const auto family = family_of(line.verbs, first);
    if (!family.empty() && arguments.size() == 2 && (arguments[1] == "--help" || arguments[1] == "-h")) {
        print_family(line, first, family, out);
        return exit_done;
    }
    if (family.empty() && (first.empty() || first.front() == '-' || looks_like_a_file(first))) return std::nullopt;
    return unknown_verb(line, arguments, err);
}

int wrong_usage(std::ostream& err, std::string_view verb, std::string_view what) {
    err << "scalescope " << verb << ": " << what << "\nTry: scalescope " << verb << " --help\n";
    return exit_usage;
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
