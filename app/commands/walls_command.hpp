// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `analyse walls SCENARIO`: the worker counts at which growing stops paying.
int run_walls(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command walls_command;

}  // namespace scalescope::app
