// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `lesson check LESSON…`: whether what lessons say is so, each assertion worked out.
int run_lesson_check(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command lesson_check_command;

}  // namespace scalescope::app
