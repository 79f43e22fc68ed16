// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/commands/command.hpp"

/// The part of the program that needs Qt: with_window.cpp, or, in a build without a window, without_window.cpp.
namespace scalescope::app {

/// The verbs that draw charts.
std::vector<Command> verbs_that_draw();

/// Opens the window, with the files among the arguments; returns the exit code of the process.
int open_window(int argc, char** argv);

}  // namespace scalescope::app
