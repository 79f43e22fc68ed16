// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/command.hpp"

namespace scalescope::app {

extern const Command predict_command;

int run_predict(std::span<const std::string> words, std::ostream& out, std::ostream& err);

}  // namespace scalescope::app
