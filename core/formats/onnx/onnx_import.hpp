// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/network/network.hpp"

#include <cstdint>
#include <string>
#include <string_view>

/// ONNX models as Scalescope's own networks. What the format leaves open and what is assumed: docs/decisions/onnx.md.
namespace scalescope::formats {

/// True if the bytes begin like an ONNX model, whole or without its weights (read_network_file).
bool is_onnx_network(std::string_view bytes);

/// Numbers of the file that are no parameters of the network.
struct OnnxCounts {
    std::int64_t statistics = 0;  ///< means and variances of batch normalizations
    std::int64_t constants = 0;   ///< floating-point numbers that are neither weights nor statistics
    std::int64_t folded = 0;      ///< channels of batch normalizations that an exporter has folded into convolutions
    std::int64_t repeated = 0;    ///< stored again, though weights that another layer has already
};

/// The model as layers of this program. Operators without a kind here become layers of kind "unknown". All warnings are
/// appended to `warnings` if it is given.
Result<NetworkDraft> import_onnx_network(std::string_view bytes, std::string file, Problems* warnings = nullptr,
                                         const Watch& watch = {}, OnnxCounts* counts = nullptr);

}  // namespace scalescope::formats
