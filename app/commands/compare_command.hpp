// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `compare A B [C D]`: designs side by side, what differs, and what each difference does.
int run_compare(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command compare_command;

}  // namespace scalescope::app
