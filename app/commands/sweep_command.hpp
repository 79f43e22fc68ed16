// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `sweep SCENARIO --vary …`: the key figures of every combination of values.
int run_sweep(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command sweep_command;

}  // namespace scalescope::app
