// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/formats/library.hpp"
#include "core/scenario/scenario.hpp"

/// What is shipped, and problems as text.
namespace support {

/// The shipped presets, read once.
const scalescope::formats::Library& library();
/// A shipped scenario; stops the test if there is none of that name.
scalescope::Scenario preset_scenario(const std::string& id);
/// One problem a line.
std::string messages(const scalescope::Problems& problems);

}  // namespace support
