// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `check FILE…`: reads scenarios, networks and lessons and reports what is wrong with them.
int run_check(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command check_command;

}  // namespace scalescope::app
