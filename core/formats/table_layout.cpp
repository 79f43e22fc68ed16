// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/table_layout.hpp"

#include <algorithm>
#include <optional>

#include "core/base/letters.hpp"

namespace scalescope::formats {

namespace {

struct Line {
    std::size_t begin = 0, next = 0;
    std::string_view text;
};
Line line_at(std::string_view text, std::size_t begin) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    auto line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return {begin, std::min(end + 1, text.size()), line};
}

/// "|---|:--:|" or "+====+": the line below a header of bars.
bool is_bar_rule(std::string_view line) {
    return line.find_first_not_of("-:|+= \t") == std::string_view::npos && line.find_first_of("|+") != line.npos &&
           (line.find("--") != line.npos || line.find("==") != line.npos || line.find("-|") != line.npos);
}

/// Separators outside of quotes.
std::size_t separators(std::string_view line, char separator) {
    std::size_t count = 0;
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') quoted = !quoted;
        count += !quoted && c == separator;
    }
    return count;
}

/// A sentence or a heading: five words or more, and few separators among them.
bool is_prose(std::string_view line) {
    constexpr std::size_t least = 5;
    std::size_t words = 0;
    bool inside = false;
    for (const char c : line) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
        words += letter && !inside;
        inside = c != ' ' && (inside || letter);
    }
    const bool open = std::count(line.begin(), line.end(), '"') % 2 != 0;  // a cell that goes on in the next line
    return !open && words >= least && words >= 2 * (separators(line, separator_of(line)) + 1);
}

constexpr std::size_t most_lines = 500;  ///< before a table

std::optional<TableLayout> find_ruled(std::string_view text, std::size_t from) {
    Line before;
    for (std::size_t at = from, lines = 0; at < text.size() && lines < most_lines; ++lines) {
        const Line line = line_at(text, at);
        at = line.next;
        const bool names = before.text.find('|') != std::string_view::npos && !is_bar_rule(before.text);
        if (names && is_bar_rule(line.text))
            return TableLayout{TableLayout::Kind::bars, before.begin, trimmed(before.text).starts_with('|'), {}};
        if (is_column_rule(line.text) && at < text.size()) {
            TableLayout layout{TableLayout::Kind::columns, at, false, {}};
            for (std::size_t i = 0; i < line.text.size(); ++i)
                if (line.text[i] == '=' && (i == 0 || line.text[i - 1] != '=')) layout.starts.push_back(i);
            return layout;
        }
        before = line;
    }
    return std::nullopt;
}

}  // namespace

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

bool is_column_rule(std::string_view line) {
    return line.starts_with("==") && line.find_first_not_of("= \t\r") == std::string_view::npos &&
           line.find(" =") != std::string_view::npos;
}

TableLayout find_table(std::string_view text, std::size_t from) {
    const TableLayout none{TableLayout::Kind::separated, from, false, {}};
    std::vector<Line> lines;  // that say something
    for (std::size_t at = from, seen = 0; at < text.size() && seen < most_lines; ++seen) {
        lines.push_back(line_at(text, at));
        at = lines.back().next;
        const auto words = trimmed(lines.back().text);
        if (words.empty() || words.starts_with('#')) lines.pop_back();
    }
    if (lines.empty()) return none;
    const auto separated = [&](std::size_t i) {
        return TableLayout{TableLayout::Kind::separated, lines[i].begin, false, {}};
    };
    if (auto ruled = find_ruled(text, from)) return *ruled;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (std::count(lines[i].text.begin(), lines[i].text.end(), '"') % 2 != 0) break;  // a cell of several lines
        if (trimmed(lines[i].text).starts_with('|')) return {TableLayout::Kind::bars, lines[i].begin, true, {}};
        const char separator = separator_of(lines[i].text);
        const auto cells = [&](std::size_t of) { return separators(lines[of].text, separator); };
        if (cells(i) > 0 && i + 1 < lines.size() && cells(i + 1) == cells(i) && !is_prose(lines[i + 1].text)) {
            std::size_t header = i;
            while (header > 0 && cells(header - 1) == cells(i)) --header;
            return separated(header);
        }
        if (!is_prose(lines[i].text) && cells(i) > 0) break;
    }
    return separated(0);
}

}  // namespace scalescope::formats
