// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace scalescope::formats {

/// Whether a text of Markdown may have links, tags, entities or escapes.
bool has_markup(std::string_view text);

/// Appends the text of a cell of Markdown: of links and images only what they are called, without tags and escapes. A
/// link that is called by a number keeps its target, as its page may say what it is about.
void append_markdown_text(std::string_view markdown, std::string& text);

}  // namespace scalescope::formats
