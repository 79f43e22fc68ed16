// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `measure calibrate TABLE…`: the model's constants from measured steps, layers or operators, kept under a name.
int run_calibrate(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command calibrate_command;

}  // namespace scalescope::app
