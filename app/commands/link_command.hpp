// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `link SCENARIO`: the scenario as one piece of text that another Scalescope takes.
int run_link(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command link_command;

}  // namespace scalescope::app
