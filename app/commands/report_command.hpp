// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `report SCENARIO… --out FILE`: designs side by side on a page or two, as PDF or HTML. It draws, and so belongs to
/// the program, as render does.
int run_report(std::span<const std::string> words, std::ostream& out, std::ostream& err);
extern const Command report_command;

}  // namespace scalescope::app
