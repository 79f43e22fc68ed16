// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "core/base/limits.hpp"
#include "core/formats/tables/cell_text.hpp"
#include "core/formats/tables/reading.hpp"

namespace scalescope::formats::tables {

namespace {

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(spaces_and_ends), line.size()); }

/// Bytes from the bullet of an item to its text; 0 if it has no bullet.
std::size_t bullet_in(std::string_view words) {
    if (words.empty() || std::string_view("*+-").find(words.front()) == std::string_view::npos) return 0;
    return words.size() == 1 ? 1 : indent_of(words.substr(1)) + (words[1] == ' ' || words[1] == '\t' ? 1 : 0);
}

class DirectiveFinder {
    using Kind = Layout::Kind;

public:
    DirectiveFinder(std::string_view text, const TextLine& first) : text_(text), first_(first) {}

    std::optional<Layout> run() { return read_name() && read_options() ? std::optional(layout_) : std::nullopt; }

private:
    bool read_name() {
        auto words = trimmed(first_.text);
        if (!words.starts_with(".. ")) {
            if (words.empty() || std::string_view("`~:").find(words.front()) == words.npos) return false;
            fence_ = words.substr(0, words.find_first_not_of(words.front()));
            if (fence_.size() < 3) return false;
        }
        words = trimmed(words.substr(fence_.empty() ? 3 : fence_.size()));
        words = words.substr(0, words.find_first_of(" \t"));
        layout_.kind = words == (fence_.empty() ? "csv-table::" : "{csv-table}") ? Kind::csv : Kind::list;
        return layout_.kind == Kind::csv || words == (fence_.empty() ? "list-table::" : "{list-table}");
    }

    bool is_inside(const TextLine& line) const {
        const auto words = trimmed(line.text);
        if (fence_.empty()) return words.empty() || indent_of(line.text) > indent_of(first_.text);
        return !words.starts_with(fence_) || words.find_first_not_of(fence_.front()) != words.npos;
    }

    /// Reads what stands between the directive's name and its rows. False if there are none.
    bool read_options() {
        constexpr int most = 20;  // lines, each of which may begin a directive
        bool in_title = fence_.empty(), between_dashes = false;
        std::size_t indent = text_.npos;  // of the option above
        layout_.begin = first_.next;
        TextLine line = first_;
        for (int lines = 0; lines < most && line.advance(text_); ++lines) {
            const auto words = trimmed(line.text);
            if (!is_inside(line) || words.starts_with("..")) return false;
            const bool is_item = layout_.kind == Kind::list && bullet_in(words) > 0;
            if (words.empty()) {
                in_title = false, indent = text_.npos;
            } else if (!fence_.empty() && words == "---") {
                between_dashes = !between_dashes;
            } else if (read_option(words, between_dashes)) {
                in_title = false, indent = indent_of(line.text);
            } else if (in_title && !is_item) {
                layout_.begin = line.next;
            } else if (indent != text_.npos && indent_of(line.text) > indent && !is_item) {
                auto& header = layout_.header;
                if (in_header_) header = {header.data(), std::size_t(words.data() - header.data()) + words.size()};
            } else {
                find_end(line);
                return is_item || layout_.kind == Kind::csv;
            }
        }
        return false;
    }

    /// ":header-rows: 1"
    bool read_option(std::string_view words, bool between_dashes) {
        if (words.starts_with(':'))
            words.remove_prefix(1);
        else if (!between_dashes)
            return false;
        const std::size_t colon = words.find(':');
        if (colon == words.npos || (colon + 1 < words.size() && words[colon + 1] != ' ')) return false;
        const auto name = words.substr(0, colon), value = trimmed(words.substr(colon + 1));
        in_header_ = name == "header";
        if (in_header_) layout_.header = value;
        if (name == "header-rows") std::from_chars(value.data(), value.data() + value.size(), layout_.header_rows);
        if (name == "delim" && value.size() == 1) layout_.separator = value.front();
        if (name == "delim" && (value == "tab" || value == "space")) layout_.separator = value == "tab" ? '\t' : ' ';
        return true;
    }

    /// The first line of the rows leads to the last one.
    void find_end(TextLine line) {
        const std::size_t begin = line.begin;
        std::size_t rows_end = line.next;
        while (line.advance(text_) && is_inside(line))
            if (!trimmed(line.text).empty()) rows_end = line.next;
        layout_.rows = text_.substr(begin, rows_end - begin);
        layout_.end = fence_.empty() ? rows_end : line.next;
    }

    std::string_view text_, fence_;  ///< fence: of MyST, "```" or longer
    const TextLine first_;
    Layout layout_;
    bool in_header_ = false;
};

void drop_markup(Store& store, TableRows& table) {
    for (Row& row : table.rows)
        for (Cell& cell : row)
            if (const auto text = rest_text(store.view(cell))) store.keep(cell, *text);
}

}  // namespace

std::optional<Layout> find_directive(std::string_view text, const TextLine& line) {
    return DirectiveFinder(text, line).run();
}

TableRows read_list_directive(Store& store, const Layout& layout) {
    TableRows table;
    table.headers = layout.header_rows;
    std::size_t row_indent = 0, cell_indent = 0, cells = 0;
    for (TextLine line; cells <= limits::csv_cells && line.advance(layout.rows);) {
        auto words = trimmed(line.text);
        if (words.empty()) continue;
        const auto indent = [&] { return static_cast<std::size_t>(words.data() - line.text.data()); };
        if (bullet_in(words) > 0 && (table.rows.empty() || indent() <= row_indent)) {
            row_indent = indent();
            words.remove_prefix(bullet_in(words));
            cell_indent = words.empty() ? words.npos : indent();
            table.rows.emplace_back();
        }
        Row& row = table.rows.back();
        const bool is_item = bullet_in(words) > 0 && indent() <= cell_indent;
        if (is_item) {
            cell_indent = indent();
            words.remove_prefix(bullet_in(words));
        }
        const std::size_t begin = store.offset_of(words);
        if (is_item || (row.empty() && !words.empty())) {
            row.push_back(cell_at(begin));
            ++cells;
        }
        if (words.empty()) continue;
        Cell& cell = row.back();
        const std::size_t from = cell.slice.length > 0 ? cell.offset : begin;
        cell = cell_at(from, begin + words.size() - from);
    }
    drop_markup(store, table);
    return table;
}

TableRows read_csv_directive(Reading& reading) {
    const Layout& layout = reading.layout;
    TableRows table;
    read_separated_rows(reading, layout.header, ',', table.rows);
    table.headers = table.rows.size() + std::min(layout.header_rows, limits::csv_cells);
    read_separated_rows(reading, layout.rows, layout.separator, table.rows);
    drop_markup(reading.store, table);
    return table;
}

}  // namespace scalescope::formats::tables
