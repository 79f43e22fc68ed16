// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace scalescope::formats {

/// A preset file compiled into the program: its path below `presets/`, and its text.
struct EmbeddedFile {
    std::string_view path;
    std::string_view text;
};

/// All of them, sorted by path.
std::span<const EmbeddedFile> embedded_files();

}  // namespace scalescope::formats
