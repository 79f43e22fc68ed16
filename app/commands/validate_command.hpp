// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// Published results against what the model says of them, row by row, and how far it is off.
extern const Command validate_command;

int run_validate(std::span<const std::string> words, std::ostream& out, std::ostream& err);

}  // namespace scalescope::app
