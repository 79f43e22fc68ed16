// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/command.hpp"

namespace scalescope::app {

/// Every verb that needs no Qt, the groups, and the earlier spellings.
CommandLine command_line_without_display();

}  // namespace scalescope::app
