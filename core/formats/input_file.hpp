// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/base/watch.hpp"

#include <filesystem>
#include <string>

namespace scalescope::formats {

/// The text of a file that a reader is chosen for by its content. Of an archive of Keras's (.keras) only the model's
/// config.json is read, however large its weights are, and of an ONNX model all but its weights (condense_onnx); of any
/// other file all of it (read_file).
Result<std::string> read_input_file(const std::filesystem::path& path, const CancelToken& cancel = {});

}  // namespace scalescope::formats
