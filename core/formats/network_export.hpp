// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/network/network.hpp"

/// Networks for files of formats that others read too.
namespace scalescope::formats {

enum class NetworkFormat : std::uint8_t { scalescope, paleo, onnx };

/// "scalescope", "paleo", "onnx"
std::string_view word_for(NetworkFormat format);
std::optional<NetworkFormat> network_format_called(std::string_view word);
/// By the ending of a file's name: ".json" means Scalescope's, ".onnx" ONNX.
std::optional<NetworkFormat> network_format_for(std::string_view file);
/// Whether a terminal can show it.
inline bool is_text(NetworkFormat format) { return format != NetworkFormat::onnx; }

struct ExportedNetwork {
    std::string text;
    Problems warnings;  ///< what the file says in other words, or does not say
};

/// The network as a file. The sizes it has now are those of the file: a symbol's default where the format has symbols,
/// a number elsewhere. What the format has no word for is a Problem that names the layers; with `lossy` PALEO's file
/// leaves out what PALEO can do without.
Result<ExportedNetwork> export_network(const Network& network, NetworkFormat format, bool lossy = false);

}  // namespace scalescope::formats
