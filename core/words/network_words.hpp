// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/formats/library.hpp"

namespace scalescope {

/// The meaning of a network's name: "LLAMA3.1_405B", "meta-llama/Llama-2-7b-hf", "ResNet50v1.5", "GPT-2 1.5B".
struct NetworkReading {
    std::string id{};       ///< in the library; empty if no network matches
    std::string family{};   ///< if no preset matches: the name of a family in presets/families, …
    std::string size{};     ///< … the published size that the text names, if it does, …
    double billions = 0;    ///< … and its number of parameters, in billions
    std::string assumed{};  ///< what was assumed, as a sentence
};

/// The family in presets/families whose title the text contains, with or without its version, whatever its size: "Llama
/// 3" in "llama3-70b cut to 12 layers". Empty if there is none.
std::string family_called(const formats::Library& library, std::string_view text);

/// The number of parameters that a text states: "1.5B", "124M"; 0 if it states none.
double stated_parameters(std::string_view text);
/// Whether a word of the text is a size in the names of networks: "LARGE", "base", "XL".
bool names_size(std::string_view text);

/// Every part of the preset's name must occur in the text. A stated number of parameters must be within 14 % of the
/// network's, and may take the place of a size in words (GPT-2 XL). Minor versions are the same network unless the
/// library has them: Llama 3.1 8B is Llama 3 8B. If no preset matches, or the text names more words of a family and of
/// one of its sizes (Wide ResNet-50-2 is not ResNet-50), the result is the family whose title the text contains, with
/// or without its version. `parameters`: the number of parameters given in another cell, used if the
/// text states none; 0 if unknown.
NetworkReading read_network(const formats::Library& library, std::string_view text, double parameters = 0);

}  // namespace scalescope
