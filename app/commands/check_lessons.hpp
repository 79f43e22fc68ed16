// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>

#include "app/commands/options.hpp"
#include "core/formats/library.hpp"

namespace scalescope::app {

/// `check --lesson LESSON…`: whether what lessons say is so, each assertion worked out.
int check_lessons(const Arguments& arguments, const formats::Library& library, std::ostream& out, std::ostream& err);

}  // namespace scalescope::app
