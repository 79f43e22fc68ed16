// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/wording.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace scalescope {

std::string a_layer(const Kind& kind) {
    // Names that are spelled out begin with the sound of their first letter.
    constexpr std::array<std::string_view, 4> spelled{"lrn", "lstm", "rms_norm", "rnn"};
    const std::string_view name = kind.name;
    const bool vowel = !name.empty() && std::string_view("aeiou").find(name.front()) != std::string_view::npos;
    const bool an = vowel || std::ranges::find(spelled, name) != spelled.end();
    return (an ? "An " : "A ") + std::string(name) + " layer";
}

}  // namespace scalescope
