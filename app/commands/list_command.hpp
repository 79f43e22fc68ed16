// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `list WHAT`: what is known by name.
int run_list(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command list_command;

}  // namespace scalescope::app
