// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

/// Letters and spaces, whatever the locale.
namespace scalescope {

constexpr char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string in_small_letters(std::string_view text) {
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(), small_letter);
    return small;
}

/// Whether the text has a letter. Every byte of a character beyond ASCII counts as one.
constexpr bool has_letters(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char c) {
        return (small_letter(c) >= 'a' && small_letter(c) <= 'z') || static_cast<unsigned char>(c) >= 0x80;
    });
}

/// Without spaces and tabs at either end.
constexpr std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text.substr(0, text.find_last_not_of(" \t") + 1);
}

}  // namespace scalescope
