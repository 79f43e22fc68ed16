// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `analyse sensitivity SCENARIO`: what a little more or less of everything does to one objective.
int run_sensitivity(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command sensitivity_command;

}  // namespace scalescope::app
