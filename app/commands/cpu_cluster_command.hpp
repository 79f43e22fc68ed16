// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `cpu cluster NETWORK`: training on CPU machines with parameter servers, after Yan et al. 2015 (re-derived): one
/// configuration layer by layer, or the best of all.
int run_cpu_cluster(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command cpu_cluster_command;

}  // namespace scalescope::app
