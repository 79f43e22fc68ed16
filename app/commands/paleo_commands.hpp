// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `paleo profile NETWORK`: PALEO's price of every layer on one device.
int run_paleo_profile(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);
/// `paleo simulate NETWORK`: PALEO's training step on many workers.
int run_paleo_simulate(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command paleo_profile_command;
extern const Command paleo_simulate_command;

}  // namespace scalescope::app
