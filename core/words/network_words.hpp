// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/formats/library.hpp"

namespace scalescope {

/// The network that a name means: "LLAMA3.1_405B", "meta-llama/Llama-2-7b-hf", "ResNet50v1.5", "GPT-2 1.5B".
struct NetworkReading {
    std::string id;       ///< of the library; empty if none fits
    std::string assumed;  ///< what was decided, a sentence
};

/// Every part of the preset's name must stand in the text; a size in parameters must be the network's, within a tenth.
/// Versions behind a point are the same network where nothing else is known of them: Llama 3.1 8B is Llama 3 8B.
NetworkReading read_network(const formats::Library& library, std::string_view text);

}  // namespace scalescope
