// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/problem.hpp"

/// The command line: a table of verbs, each in a file of its own. Nothing here knows Qt, so every verb runs without a
/// display, and tests call it like a function.
namespace scalescope::app {

/// What a verb returns, and the process with it.
inline constexpr int exit_done = 0;
inline constexpr int exit_input = 1;  ///< a problem with the input, said on `err`
inline constexpr int exit_usage = 2;  ///< the command line itself is wrong

/// A verb. `run` gets the words after it, writes data to `out` and messages to `err`, and returns an exit code.
struct Command {
    std::string_view name;     ///< "estimate", or two words: "paleo profile"
    std::string_view summary;  ///< one line without a full stop
    std::string_view example;  ///< a whole command line that works
    int (*run)(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);
};

/// What the verbs whose names begin with the same word have in common.
struct Group {
    std::string_view name;     ///< "paleo"
    std::string_view summary;  ///< one line without a full stop
};

/// An earlier spelling of a verb, which still works.
struct Renamed {
    std::string_view old, now;  ///< words, separated by spaces; `now` may end with options
};

struct CommandLine {
    std::vector<Command> verbs;  ///< in the order of --help; the verbs of a group stand together
    std::vector<Group> groups;
    std::vector<Renamed> renamed;
};

/// Runs the verb that `arguments` (without the program's name) begin with, or answers --help and --version. For an
/// earlier spelling, a line on `err` gives the new one. Returns nothing if the arguments are for the window.
std::optional<int> run_command_line(const CommandLine& line, std::string_view version,
                                    std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

/// Says what is wrong with the command line of a verb, and where to read more; exit_usage.
int wrong_usage(std::ostream& err, std::string_view verb, std::string_view what);

/// Writes one line for each problem; exit_input if one of them is an error, else exit_done.
int report(std::ostream& err, const Problems& problems);

}  // namespace scalescope::app
