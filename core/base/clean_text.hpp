// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/utf8.hpp"

namespace scalescope {

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
