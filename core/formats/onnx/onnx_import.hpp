// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/base/problem.hpp"
#include "core/base/watch.hpp"
#include "core/network/network.hpp"

/// ONNX models as Scalescope's own networks. What the format leaves open and what is assumed: docs/decisions/onnx.md.
namespace scalescope::formats {

/// True if the bytes begin like an ONNX model, whole or without its weights (condense_onnx).
bool is_onnx_network(std::string_view bytes);

/// Numbers of the file that are no parameters of the network.
struct OnnxCounts {
    std::int64_t statistics = 0;  ///< means and variances of batch normalizations
    std::int64_t constants = 0;   ///< floating-point numbers that are neither weights nor statistics
    std::int64_t folded = 0;      ///< channels of batch normalizations that an exporter has folded into convolutions
    std::int64_t repeated = 0;    ///< parameters that count more than once here, though they stand in the file once
    std::int64_t tied = 0;        ///< parameters that may stand in the file twice, and be one in the model
    std::int64_t whole = 0;       ///< parameters that the file has as integers
    std::int64_t given = 0;       ///< parameters that are inputs of the file, without numbers
};

/// The model as layers of this program. Operators without a kind here become layers of kind "unknown". All warnings are
/// appended to `warnings` if it is given. What the file leaves open has the size in `sizes`, by the name of its symbol,
/// and is looked for otherwise; names that it does not have are passed over.
Result<NetworkDraft> import_onnx_network(std::string_view bytes, std::string file, Problems* warnings = nullptr,
                                         const Watch& watch = {}, OnnxCounts* counts = nullptr,
                                         std::span<const Binding> sizes = {});

/// True for a regular file that begins like an ONNX model.
bool is_onnx_file(const std::filesystem::path& path);

/// The model in the file without its weights, which are skipped and never read: what is larger than 64 KiB is left out.
/// So a model of many gigabytes is a text of a few kilobytes, and whoever keeps or hands on the text of a file needs to
/// know nothing of it.
Result<std::string> condense_onnx(const std::filesystem::path& path, const Watch& watch = {});

}  // namespace scalescope::formats
