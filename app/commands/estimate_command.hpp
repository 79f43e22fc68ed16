// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `estimate SCENARIO`: every figure of one scenario, or its layers or messages.
int run_estimate(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command estimate_command;

}  // namespace scalescope::app
