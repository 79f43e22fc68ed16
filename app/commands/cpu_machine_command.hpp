// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `cpu machine TABLE`: a machine of `cpu cluster` from a benchmark of its threads, as a file.
int run_cpu_machine(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command cpu_machine_command;

}  // namespace scalescope::app
