// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "app/commands/command.hpp"

namespace scalescope::app {

/// `render SCENARIO --out DIR`: every chart to files. The only verb that needs Qt; it needs no display.
int run_render(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

extern const Command render_command;

}  // namespace scalescope::app
