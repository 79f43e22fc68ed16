// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `analyse network NETWORK`: the layers of a network, their shapes, parameters and work.
int run_network(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command network_command;

}  // namespace scalescope::app
