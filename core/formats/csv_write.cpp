// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/csv_write.hpp"

#include "core/base/decimal.hpp"
#include "core/base/utf8.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace scalescope::formats {

namespace {

template <class Number>
std::string exact_number(Number value) {
    std::array<char, 32> buffer{};
    return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

struct TextOf {
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(const std::string& text) const { return csv_cell(text); }
    std::string operator()(double value) const { return std::isfinite(value) ? exact_number(value) : std::string(); }
    std::string operator()(std::int64_t value) const { return exact_number(value); }
};

template <class Cells, class Write>
std::string row_of(const Cells& cells, Write write) {
    std::string row;
    for (std::size_t c = 0; c < cells.size(); ++c) {
        if (c > 0) row += ',';
        row += write(cells[c]);
    }
    // Alone it would be a blank line, or, as a header without commas, say that something else separates cells.
    const bool alone = cells.size() == 1 && (row.empty() || row.find_first_of(";\t") != std::string::npos);
    return (alone && !row.starts_with('"') ? '"' + row + '"' : row) + '\n';
}

std::string clean_cell(std::string_view text) {
    return clean_text(text, [](unsigned code) {
        return std::string(1, code == '\t' || code == '\n' || code == '\r' ? static_cast<char>(code) : '?');
    });
}

/// A spreadsheet divides comments into cells as it does rows. Where a cell behind a separator would be a formula, or
/// begins with a quote that may hide one, it gets an apostrophe.
std::string comment_line(std::string_view text) {
    constexpr std::string_view separators = ",;\t";
    std::string line = "# ";
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
        const std::size_t begin = std::min(text.find_first_not_of(' ', at), end);
        const std::string_view cell = text.substr(begin, end - begin);
        line += text.substr(at, begin - at);
        if (at > 0 && (cell.starts_with('"') || reads_as_formula(cell))) line += '\'';
        line += cell;
        if (end < text.size()) line += text[end];
        at = end + 1;
    }
    return line + '\n';
}

}  // namespace

bool reads_as_formula(std::string_view text) {
    const auto bare = text.substr(std::min(text.find_first_not_of('\''), text.size()));
    if (bare.empty() || std::string_view("=+-@\t\r").find(bare.front()) == std::string_view::npos) return false;
    return bare.size() != text.size() || !parse_decimal(bare.substr(bare.front() == '+' ? 1 : 0));
}

std::string csv_cell(std::string_view text) {
    std::string cell = clean_cell(text);
    if (reads_as_formula(cell)) cell.insert(0, 1, '\'');
    const auto space = [](char c) { return c == ' ' || c == '\t'; };
    // At the beginning of a file a byte order mark would be no part of the cell any more.
    const bool edged = !cell.empty() && (space(cell.front()) || space(cell.back()) || cell.front() == '#' ||
                                         cell.front() == '|' || cell.front() == '<' ||
                                         cell.find("-table}") != std::string::npos || cell.starts_with("\xef\xbb\xbf"));
    const bool is_rule = cell.find('|') != std::string::npos && cell.find_first_not_of("-:|+= \t") == std::string::npos;
    if (!edged && !is_rule && cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
    std::string result = "\"";
    for (const char c : cell) {
        if (c == '"') result += '"';
        result += c;
    }
    return result + '"';
}

std::string csv_row(std::span<const std::string> cells) {
    return row_of(cells, [](const std::string& text) { return csv_cell(text); });
}

std::string csv_row(std::span<const TableCell> cells) {
    return row_of(cells, [](const TableCell& cell) { return std::visit(TextOf{}, cell); });
}

std::string write_csv(const FigureTable& table, std::span<const std::string> comments) {
    std::string text;
    for (const std::string& comment : comments)
        for (std::string_view rest = comment;;) {
            const auto end = rest.find('\n');
            text += comment_line(clean_text(rest.substr(0, end), [](unsigned) { return std::string("?"); }));
            if (end == std::string_view::npos) break;
            rest.remove_prefix(end + 1);
        }
    text += csv_row(table.columns);
    for (const auto& row : table.rows) text += csv_row(row);
    return text;
}

}  // namespace scalescope::formats
