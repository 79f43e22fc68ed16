// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `habitat occupancy`: how many thread blocks a processor of a GPU holds.
int run_habitat_occupancy(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);
/// `habitat scale`: times of kernels on other GPUs, by wave scaling.
int run_habitat_scale(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);
/// `habitat mlp`: times of operations by trained networks.
int run_habitat_mlp(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);
/// `habitat trace`: the time of a measured iteration on other GPUs.
int run_habitat_trace(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command habitat_occupancy_command;
extern const Command habitat_scale_command;
extern const Command habitat_mlp_command;
extern const Command habitat_trace_command;

}  // namespace scalescope::app
