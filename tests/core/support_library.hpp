// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/formats/library.hpp"

/// What is shipped, and problems as text.
namespace support {

/// The shipped presets, read once.
const scalescope::formats::Library& library();
/// One problem a line.
std::string messages(const scalescope::Problems& problems);

}  // namespace support
