// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `analyse staleness SCENARIO`: with asynchronous updates, speed, statistical efficiency and their product over the
/// workers.
int run_staleness(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command staleness_command;

}  // namespace scalescope::app
