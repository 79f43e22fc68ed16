// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <vector>

#include "app/commands/command.hpp"
#include "app/commands/render_command.hpp"
#include "app/commands/report_command.hpp"
#include "app/commands/terminal_guard.hpp"
#include "app/commands/verbs.hpp"
#include "ui/window/run_window.hpp"

namespace {

/// Every verb, in the order of --help: render and report, which draw charts, stand before PALEO's.
scalescope::app::CommandLine command_line() {
    auto line = scalescope::app::command_line_without_display();
    auto& verbs = line.verbs;
    const auto paleo =
        std::find_if(verbs.begin(), verbs.end(), [](const auto& verb) { return verb.name.starts_with("paleo"); });
    verbs.insert(paleo, {scalescope::app::render_command, scalescope::app::report_command});
    return line;
}

/// Whether a window has somewhere to appear; Qt itself would end the program with a core dump.
bool has_display(const std::vector<std::string>& arguments) {
#ifdef __linux__
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (const char* value = std::getenv(name); value && *value) return true;
    return std::find(arguments.begin(), arguments.end(), "-platform") != arguments.end();
#else
    (void)arguments;
    return true;
#endif
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
    if (!code) {
        if (has_display(arguments)) return scalescope::ui::run_window(argc, argv);
        std::cerr << "scalescope: there is no display for the window; the verbs need none\nTry: scalescope --help\n";
        return scalescope::app::exit_input;
    }
    // A full disk shows only when the last bytes leave.
    if (!std::cout.flush()) {
        std::cerr << "scalescope: the result could not be written; is the disk full?\n";
        return scalescope::app::exit_input;
    }
    return *code;
}
