// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `measure fit RUNS.csv`: a model of the time of measured runs, how good and how sure it is.
int run_fit(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command fit_command;

}  // namespace scalescope::app
