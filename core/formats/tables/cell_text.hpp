// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// What readers of a page see of a cell, whatever its markup.
namespace scalescope::formats::tables {

struct HtmlTag {
    std::string text;     ///< in small letters, without its brackets; empty for a comment
    std::size_t end = 0;  ///< one past its last byte

    std::string_view name() const { return std::string_view(text).substr(0, text.find_first_of(" \t\r\n", 1)); }
};
/// Nothing if no tag stands there, as in "< 5".
std::optional<HtmlTag> tag_at(std::string_view html, std::size_t at);

/// Without tags, and with common entities as characters. Spaces at the beginning, and all but one between words, are
/// dropped. `first` is where the first word begins, if there is one.
std::string html_text(std::string_view html, std::size_t* first = nullptr);

/// Of links and images only what they are called, without tags and escapes. A link that is called by a number keeps its
/// target, as its page may say what it is about. Nothing if the text has no markup.
std::optional<std::string> markdown_text(std::string_view markdown);

/// The text of links, roles and literals of reStructuredText and MyST, on one line. Nothing if it is the text itself.
std::optional<std::string> rest_text(std::string_view rest);

}  // namespace scalescope::formats::tables
