// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace scalescope::ui {

/// Opens the window on the files of the command line, or the session of last time, or the example. Returns the exit
/// code.
int run_window(int argc, char** argv);

}  // namespace scalescope::ui
