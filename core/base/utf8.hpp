// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
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

/// Appends the character with this code, which must be one of Unicode.
inline void append_utf8(std::string& text, unsigned code) {
    const auto add = [&](unsigned byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xC0u | (code >> 6));
        add(0x80u | (code & 0x3Fu));
    } else if (code < 0x10000) {
        add(0xE0u | (code >> 12));
        add(0x80u | ((code >> 6) & 0x3Fu));
        add(0x80u | (code & 0x3Fu));
    } else {
        add(0xF0u | (code >> 18));
        add(0x80u | ((code >> 12) & 0x3Fu));
        add(0x80u | ((code >> 6) & 0x3Fu));
        add(0x80u | (code & 0x3Fu));
    }
}

/// Valid UTF-8, whatever came in; `control(code)` says what stands for a control character (U+0000 to U+001F, U+007F to
/// U+009F), which could steer a terminal.
template <class Control>
std::string clean_text(std::string_view text, Control control) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = character_length(text, i);
        const auto byte = [&](std::size_t k) { return static_cast<unsigned>(static_cast<unsigned char>(text[k])); };
        const unsigned code = length == 1   ? byte(i)
                              : length == 2 ? ((byte(i) & 0x1Fu) << 6) | (byte(i + 1) & 0x3Fu)
                                            : 0x100u;
        if (length == 0)
            result += replacement_character;
        else if (code < 0x20 || (code >= 0x7F && code < 0xA0))
            result += control(code);
        else
            result += text.substr(i, length);
        i += std::max<std::size_t>(length, 1);
    }
    return result;
}

}  // namespace scalescope
