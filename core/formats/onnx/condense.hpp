// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "core/base/problem.hpp"
#include "core/base/watch.hpp"

namespace scalescope::formats {

/// The text of a network file: all of it, or of an ONNX model (recognised by its content) the same model without its
/// weights, which are skipped and never read. So a model of many gigabytes is a text of a few kilobytes, and whoever
/// keeps or hands on the text of a file needs to know nothing of it.
Result<std::string> read_network_file(const std::filesystem::path& path, const Watch& watch = {});

}  // namespace scalescope::formats
