// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "app/commands/all_verbs.hpp"
#include "app/window.hpp"
#include "ui/window/run_window.hpp"

namespace scalescope::app {
namespace {

/// Whether a window has somewhere to appear; Qt itself would end the program with a core dump.
bool has_display(int argc, char** argv) {
#ifdef __linux__
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (const char* value = std::getenv(name); value && *value) return true;
    for (int i = 1; i < argc; ++i)
        if (std::string_view(argv[i]) == "-platform") return true;
    return false;
#else
    (void)argc, (void)argv;
    return true;
#endif
}

}  // namespace

std::vector<Command> verbs_that_draw() { return {render_command, report_command}; }

int open_window(int argc, char** argv) {
    if (has_display(argc, argv)) return ui::run_window(argc, argv);
    std::cerr << "scalescope: there is no display for the window; the verbs need none\nTry: scalescope --help\n";
    return exit_input;
}

}  // namespace scalescope::app
