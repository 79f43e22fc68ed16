// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/limits.hpp"
#include "core/base/problem.hpp"
#include "core/base/watch.hpp"

namespace scalescope {

/// The whole of a file (or of a pipe), unchanged. More than `limit` bytes are a Problem, and are not read. Folders,
/// devices and sockets are refused. Every Problem names the file in `at.file`. `cancel` ends waiting for a pipe.
Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit = limits::file_bytes,
                              const CancelToken& cancel = {});

/// Replaces the file's text, or makes the file: afterwards it holds all of `text`, or, with a Problem, exactly what it
/// held before, even if the power fails in between. The text goes to a new file in the same folder, is synced, and
/// takes the name. Symbolic links are followed: the file they lead to is replaced, and they stay. The permissions of a
/// replaced file are kept; a file marked read-only is refused. Hard links to it keep the old text.
Result<void> write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace scalescope
