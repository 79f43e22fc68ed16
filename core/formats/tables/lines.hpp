// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/letters.hpp"

#include <cstddef>
#include <string_view>

/// Lines of a text, and what they look like.
namespace scalescope::formats::tables {

inline constexpr std::string_view spaces_and_ends = " \t\r\n";
constexpr bool is_blank(char c) { return spaces_and_ends.find(c) != std::string_view::npos; }
constexpr bool is_letter(char c) { return small_letter(c) >= 'a' && small_letter(c) <= 'z'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct TextLine {
    std::size_t begin = 0, next = 0;  ///< offsets of this line and of the one below
    std::string_view text;            ///< without its end

    /// Goes on to the line below in `all`, if it begins before `to`.
    bool advance(std::string_view all, std::size_t to = std::string_view::npos);
};
TextLine line_at(std::string_view text, std::size_t begin);

/// ',', ';' or a tab, whatever separates the cells of a header outside of quotes; ',' if there is none.
char separator_of(std::string_view line);
/// Separators outside of quotes.
std::size_t separators(std::string_view line, char separator);
bool has_open_quote(std::string_view line);
/// "===  ====": the rule of a simple table.
bool is_column_rule(std::string_view line);
/// Whether a line of a table with separators is a comment. A row that begins with a number such as "#12" is not.
bool is_comment(std::string_view line);
/// A sentence or a heading: five words or more, and few separators among them.
bool is_prose(std::string_view line);

}  // namespace scalescope::formats::tables
