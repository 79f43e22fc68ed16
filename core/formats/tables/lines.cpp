// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/tables/lines.hpp"

#include <algorithm>

namespace scalescope::formats::tables {

TextLine line_at(std::string_view text, std::size_t begin) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    auto line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return {begin, std::min(end + 1, text.size()), line};
}

bool TextLine::advance(std::string_view all, std::size_t to) {
    const bool is_there = next < std::min(to, all.size());
    if (is_there) *this = line_at(all, next);
    return is_there;
}

char separator_of(std::string_view line) {
    bool quoted = false;
    char found = ',';
    for (const char c : line) {
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if (c == ',') return ',';
        if (found == ',' && (c == ';' || c == '\t')) found = c;
    }
    return found;
}

std::size_t separators(std::string_view line, char separator) {
    std::size_t count = 0;
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') quoted = !quoted;
        count += !quoted && c == separator;
    }
    return count;
}

bool has_open_quote(std::string_view line) { return std::count(line.begin(), line.end(), '"') % 2 != 0; }

bool is_column_rule(std::string_view line) {
    return line.starts_with("==") && line.find_first_not_of("= \t\r") == line.npos && line.find(" =") != line.npos;
}

bool is_prose(std::string_view line) {
    constexpr std::size_t least = 5;
    std::size_t words = 0;
    bool inside = false;
    for (const char c : line) {
        const bool letter = is_letter(c) || static_cast<unsigned char>(c) >= 0x80;
        words += letter && !inside;
        inside = c != ' ' && (inside || letter);
    }
    return !has_open_quote(line) && words >= least && words >= 2 * (separators(line, separator_of(line)) + 1);
}

bool is_comment(std::string_view line) {
    line = trimmed(line);
    return line.starts_with('#') && (line.size() == 1 || !is_digit(line[1]));
}

}  // namespace scalescope::formats::tables
