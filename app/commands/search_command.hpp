// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `search SCENARIO --vary …`: the best combinations under constraints.
int run_search(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command search_command;

}  // namespace scalescope::app
