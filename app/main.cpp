// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <vector>

#include "app/commands/command.hpp"
#include "app/commands/terminal_guard.hpp"
#include "app/commands/verbs.hpp"
#include "app/window.hpp"

namespace {

/// Every verb, in the order of --help: those that draw stand before PALEO's.
scalescope::app::CommandLine command_line() {
    auto line = scalescope::app::command_line_without_display();
    auto& verbs = line.verbs;
    const auto paleo =
        std::find_if(verbs.begin(), verbs.end(), [](const auto& verb) { return verb.name.starts_with("paleo"); });
    const auto draw = scalescope::app::verbs_that_draw();
    verbs.insert(paleo, draw.begin(), draw.end());
    return line;
}

std::optional<int> run_verb(const std::vector<std::string>& arguments) {
    std::optional<scalescope::app::TerminalGuard> out, err;
    if (isatty(STDOUT_FILENO) != 0) out.emplace(std::cout);
    if (isatty(STDERR_FILENO) != 0) err.emplace(std::cerr);
    return scalescope::app::run_command_line(command_line(), SCALESCOPE_VERSION, arguments, std::cout, std::cerr);
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    const auto code = run_verb(arguments);
    if (!code) return scalescope::app::open_window(argc, argv);
    // A full disk shows only when the last bytes leave.
    if (!std::cout.flush()) {
        std::cerr << "scalescope: the result could not be written; is the disk full?\n";
        return scalescope::app::exit_input;
    }
    return *code;
}
