// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `habitat train`: a network for the times of an operation, from measured ones.
int run_habitat_train(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command habitat_train_command;

}  // namespace scalescope::app
