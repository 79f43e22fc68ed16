// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/tables/layout.hpp"

#include <algorithm>
#include <vector>

#include "core/base/decimal.hpp"
#include "core/formats/tables/reading.hpp"

namespace scalescope::formats::tables {

namespace {

using Kind = Layout::Kind;

bool has_bar(std::string_view line) { return line.find('|') != line.npos; }

/// "|---|:--:|" or "+====+": the line below a header of bars.
bool is_bar_rule(std::string_view line) {
    return line.find_first_not_of("-:|+= \t") == line.npos && line.find_first_of("|+") != line.npos &&
           (line.find("--") != line.npos || line.find("==") != line.npos);
}

/// "+---+----+": the border of a grid.
bool is_grid_rule(std::string_view line) {
    line = trimmed(line);
    return line.size() > 2 && line.starts_with('+') && line.ends_with('+') &&
           line.find_first_not_of("-=+") == line.npos && line.find_first_of("-=") != line.npos;
}

std::size_t bars_between_cells(std::string_view line) {
    line = trimmed(line);
    if (line.starts_with('|')) line.remove_prefix(1);
    if (line.ends_with('|')) line.remove_suffix(1);
    return static_cast<std::size_t>(std::count(line.begin(), line.end(), '|'));
}

/// "|:- |-:|": a rule with a dash in each column, as many as in the header. In a table it would be a row without
/// values.
bool is_thin_rule(std::string_view line, std::string_view header) {
    if (!has_bar(line) || line.find_first_not_of("-:| \t") != line.npos) return false;
    const std::size_t dashes = static_cast<std::size_t>(std::count(line.begin(), line.end(), '-'));
    return dashes == bars_between_cells(line) + 1 && dashes == bars_between_cells(header) + 1;
}

bool has_number(std::string_view line, char separator) {
    while (!line.empty()) {
        const auto cell = line.substr(0, line.find(separator));
        if (parse_decimal(trimmed(cell))) return true;
        line.remove_prefix(std::min(line.size(), cell.size() + 1));
    }
    return false;
}

constexpr std::size_t most_lines = 500;  ///< before a table

/// A table of HTML that begins in the line, which must begin with a tag. `bytes` bounds what is read of tables without
/// data.
std::optional<Layout> find_html(std::string_view text, const TextLine& line, std::size_t& bytes) {
    const bool behind_tag = line.begin > 0 && text[line.begin - 1] == '>';
    if (!behind_tag && !trimmed(line.text).starts_with('<')) return std::nullopt;
    const std::string small = in_small_letters(line.text);
    for (std::size_t i = small.find("<table"); i != small.npos && bytes > 0; i = small.find("<table", i + 1)) {
        std::string texts;
        const HtmlTable table = read_html(text, line.begin + i, texts);
        if (table.has_data()) return Layout{Kind::html, line.begin + i, table.end};
        bytes -= std::min(bytes, table.end - line.begin - i);
    }
    return std::nullopt;
}

/// The first table with bars, rules, tags or a directive. The end of one with bars or rules is found below.
std::optional<Layout> find_ruled(std::string_view text, std::size_t from, std::size_t most = most_lines) {
    TextLine above, before;
    std::size_t html_bytes = 2 * text.size();
    for (TextLine line{from, from, {}}; most > 0 && line.advance(text); --most) {
        if (auto html = find_html(text, line, html_bytes)) return html;
        if (auto directive = find_directive(text, line)) return directive;
        const bool below_names = has_bar(before.text) && !is_bar_rule(before.text);
        if (below_names && (is_bar_rule(line.text) || (!has_bar(above.text) && is_thin_rule(line.text, before.text))))
            return Layout{Kind::bars, before.begin, 0};
        const std::string_view below = line_at(text, line.next).text;
        if (is_grid_rule(line.text) && trimmed(below).starts_with('|')) return Layout{Kind::grid, line.begin, 0};
        if (is_column_rule(line.text) && !trimmed(below).empty()) return Layout{Kind::columns, line.begin, 0};
        above = before;
        before = line;
    }
    return std::nullopt;
}

/// A table with bars extends to the next table, a grid as far as its lines have borders in front, and a simple table to
/// the rule below its rows. Without a header, that is the second one.
std::size_t end_of(const Layout& layout, std::string_view text) {
    if (layout.end > 0) return layout.end;
    TextLine line = line_at(text, layout.begin);
    if (layout.kind == Kind::bars) {
        const auto next = find_ruled(text, line.next, text.size());
        return next ? next->begin : text.size();
    }
    for (int rules = 1; line.advance(text);) {
        const auto words = trimmed(line.text);
        if (layout.kind == Kind::grid && !words.starts_with('|') && !words.starts_with('+')) return line.begin;
        if (layout.kind == Kind::columns && is_column_rule(line.text) &&
            (++rules == 3 || trimmed(line_at(text, line.next).text).empty()))
            return line.next;
    }
    return text.size();
}

/// Lines with as many commas each, names above and numbers below. Rows of tabs may lack cells.
std::optional<Layout> find_block(std::string_view text, std::size_t from, std::size_t to) {
    TextLine header;
    std::size_t lines = 0;
    for (TextLine line{from, from, {}}; lines < most_lines && line.advance(text, to); ++lines) {
        const char separator = separator_of(header.text);
        const std::size_t cells = separators(header.text, separator);
        const auto is_row = [&](std::string_view row) {
            const std::size_t count = separators(row, separator);
            return (count == cells || (separator == '\t' && count > 0 && count < cells)) && !has_open_quote(row) &&
                   !has_bar(row) && !is_prose(row);
        };
        if (cells > 0 && !has_number(header.text, separator) && is_row(header.text) && is_row(line.text) &&
            has_number(line.text, separator)) {
            std::size_t end = line.next;
            while (line.advance(text, to) && is_row(line.text)) end = line.next;
            return Layout{Kind::block, header.begin, end};
        }
        header = line;
    }
    return std::nullopt;
}

/// The end of a table with separators: where text without any follows an empty line. A page has text below its table.
std::size_t end_of_separated(std::string_view text, std::size_t begin, char separator) {
    bool after_gap = false;
    for (TextLine line{begin, begin, {}}; line.advance(text);) {
        if (has_open_quote(line.text)) break;  // a cell of several lines
        const bool is_empty = trimmed(line.text).empty();
        if (!is_empty && after_gap && separators(line.text, separator) == 0 && !is_comment(line.text))
            return line.begin;
        after_gap = is_empty;
    }
    return text.size();
}

/// A table with commas, or one with bars and without a rule.
std::optional<Layout> find_separated(std::string_view text, std::size_t from) {
    std::vector<TextLine> lines;  // that say something
    std::size_t seen = 0;
    for (TextLine line{from, from, {}}; seen < most_lines && line.advance(text); ++seen)
        if (const auto words = trimmed(line.text); !words.empty() && !is_comment(words)) lines.push_back(line);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {  // two rows of tabs below text with commas
        const std::size_t tabs = separators(lines[i].text, '\t');
        if (has_open_quote(lines[i].text) || separator_of(lines.front().text) == '\t') break;
        if (tabs > 1 && separators(lines[i + 1].text, '\t') == tabs && separator_of(lines[i].text) == '\t')
            return Layout{Kind::separated, lines[i].begin, end_of_separated(text, lines[i].begin, '\t')};
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (has_open_quote(lines[i].text)) break;  // a cell of several lines
        if (trimmed(lines[i].text).starts_with('|')) return Layout{Kind::bars, lines[i].begin, text.size()};
        const char separator = separator_of(lines[i].text);
        const auto cells = [&](std::size_t of) { return separators(lines[of].text, separator); };
        if (cells(i) > 0 && i + 1 < lines.size() && cells(i + 1) == cells(i) && !is_prose(lines[i + 1].text)) {
            std::size_t header = i;
            while (header > 0 && cells(header - 1) == cells(i)) --header;
            return Layout{Kind::separated, lines[header].begin, end_of_separated(text, lines[header].begin, separator)};
        }
        if (!is_prose(lines[i].text) && cells(i) > 0) break;
    }
    return std::nullopt;
}

/// The first line that says something.
std::size_t begin_of_words(std::string_view text, std::size_t from) {
    for (TextLine line{from, from, {}}; line.advance(text);)
        if (const auto words = trimmed(line.text); !words.empty() && !is_comment(words)) return line.begin;
    return from;
}

}  // namespace

std::optional<Layout> find_next_table(std::string_view text, std::size_t from) {
    auto ruled = find_ruled(text, from);
    if (auto block = find_block(text, from, ruled ? ruled->begin : text.size())) return block;
    if (!ruled) return find_log(text, from);
    ruled->end = end_of(*ruled, text);
    return ruled;
}

Layout find_table(std::string_view text, std::size_t from) {
    if (find_ruled(text, from)) return *find_next_table(text, from);
    const auto separated = find_separated(text, from);
    if (separated && !is_line_of_log(line_at(text, separated->begin).text)) return *separated;
    const std::size_t begin = begin_of_words(text, from);
    const bool is_quoted = text.substr(begin).starts_with('"');  // quoted cells may contain anything
    if (const auto log = is_quoted ? std::nullopt : find_log(text, from)) return *log;
    return separated.value_or(Layout{Kind::separated, begin, text.size()});
}

std::size_t find_heading(std::string_view text, std::size_t from, std::size_t to) {
    for (TextLine line{from, from, {}}; line.advance(text, to);) {
        const auto words = trimmed(line.text);
        if (words.empty()) continue;
        const auto below = line.next < to ? trimmed(line_at(text, line.next).text) : std::string_view();
        const bool underlined = below.size() >= 3 && (below.find_first_not_of('-') == below.npos ||
                                                      below.find_first_not_of('=') == below.npos);
        const bool bold = words.size() > 4 && words.starts_with("**") && words.find("**", 2) == words.size() - 2;
        if (words.starts_with('#') || underlined || bold) return line.begin;
    }
    return to;
}

}  // namespace scalescope::formats::tables
