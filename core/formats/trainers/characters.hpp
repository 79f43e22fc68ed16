// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

/// Characters of names, and of white space.
namespace scalescope::formats::trainers {

inline constexpr std::string_view blanks = " \t\r\n";

constexpr bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool goes_on_name(char c) { return starts_name(c) || is_digit(c); }

constexpr std::string_view without_blanks(std::string_view text) {
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace scalescope::formats::trainers
