// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/markdown_text.hpp"

#include <algorithm>

#include "core/base/letters.hpp"
#include "core/formats/html_table.hpp"

namespace scalescope::formats {

namespace {

bool is_letter(char c) { return small_letter(c) >= 'a' && small_letter(c) <= 'z'; }
bool is_punctuation(char c) { return c > ' ' && c < '\x7f' && (c < '0' || c > '9') && !is_letter(c); }

/// Length of the "[name" of the link that the text begins with; 0 if it begins with none, or with a number.
std::size_t name_of_link(std::string_view text) {
    constexpr std::size_t longest = 500;
    const auto near = text.substr(0, longest);
    const std::size_t end = near.starts_with('[') ? near.find("](") : near.npos;
    if (end == near.npos || near.find(')', end) == near.npos) return 0;
    const auto name = near.substr(0, end);
    return std::any_of(name.begin(), name.end(), is_letter) ? end : 0;
}

}  // namespace

bool has_markup(std::string_view text) {
    return text.find("](") != text.npos || text.find_first_of("<&\\") != text.npos;
}

void append_markdown_text(std::string_view markdown, std::string& text) {
    std::string plain;
    std::size_t name_end = 0;  // of the link that is being read
    for (std::size_t i = 0; i < markdown.size(); ++i) {
        const auto rest = markdown.substr(i);
        if (name_end > 0 && i == name_end) {
            i = markdown.find(')', i);  // behind the target
            name_end = 0;
        } else if (const std::size_t name = name_end == 0 ? name_of_link(rest) : 0; name > 0) {
            name_end = i + name;
        } else if (!rest.starts_with("![")) {
            i += rest.size() > 1 && rest[0] == '\\' && is_punctuation(rest[1]);
            plain += markdown[i];
        }
    }
    append_html_text(plain, text);
}

}  // namespace scalescope::formats
