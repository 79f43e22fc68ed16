// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `convert NETWORK`: the network as a file of another format.
int run_convert(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command convert_command;

}  // namespace scalescope::app
