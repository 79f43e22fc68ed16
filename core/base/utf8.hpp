// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace scalescope {

/// What stands in texts where bytes are no UTF-8.
inline constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

/// Length of the well-formed UTF-8 character that begins at `i`, 0 if there is none.
constexpr std::size_t character_length(std::string_view text, std::size_t i) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned>(static_cast<unsigned char>(text[k])); };
    const unsigned b = byte(i);
    if (b < 0x80) return 1;
    const std::size_t more = b >= 0xC2 && b <= 0xDF ? 1 : (b & 0xF0u) == 0xE0 ? 2 : b >= 0xF0 && b <= 0xF4 ? 3 : 0;
    if (more == 0 || i + more >= text.size()) return 0;
    for (std::size_t k = 1; k <= more; ++k)
        if ((byte(i + k) & 0xC0u) != 0x80) return 0;
    const unsigned second = byte(i + 1);
    if ((b == 0xE0 && second < 0xA0) || (b == 0xF0 && second < 0x90) || (b == 0xED && second > 0x9F) ||
        (b == 0xF4 && second > 0x8F))
        return 0;
    return more + 1;
}

}  // namespace scalescope
