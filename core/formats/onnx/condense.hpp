// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "core/base/problem.hpp"
#include "core/base/watch.hpp"

namespace scalescope::formats {

/// True for a regular file that begins like an ONNX model.
bool is_onnx_file(const std::filesystem::path& path);

/// The model in the file without its weights, which are skipped and never read: what is larger than 64 KiB is left out.
/// So a model of many gigabytes is a text of a few kilobytes, and whoever keeps or hands on the text of a file needs to
/// know nothing of it.
Result<std::string> condense_onnx(const std::filesystem::path& path, const Watch& watch = {});

}  // namespace scalescope::formats
