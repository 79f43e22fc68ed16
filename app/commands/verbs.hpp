// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// Every verb that needs no Qt, in the order of --help; the first one is its example.
std::vector<Command> verbs_without_display();

}  // namespace scalescope::app
