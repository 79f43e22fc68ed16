// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `summary NETWORK`: the layers of a network, their shapes, parameters and work.
int run_summary(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command summary_command;

}  // namespace scalescope::app
