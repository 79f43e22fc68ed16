// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <vector>

#include "app/commands/command.hpp"
#include "ui/window/run_window.hpp"

namespace {

/// Every verb, in the order of --help.
const std::vector<scalescope::app::Command> verbs = {};

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    const auto code = scalescope::app::run_command_line(verbs, SCALESCOPE_VERSION, arguments, std::cout, std::cerr);
    if (!code) return scalescope::ui::run_window(argc, argv);
    // A full disk shows only when the last bytes leave.
    if (!std::cout.flush()) {
        std::cerr << "scalescope: the result could not be written; is the disk full?\n";
        return scalescope::app::exit_input;
    }
    return *code;
}
