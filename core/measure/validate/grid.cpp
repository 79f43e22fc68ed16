// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/grid.hpp"

#include <algorithm>
#include <iterator>

#include "core/base/letters.hpp"
#include "core/base/name_list.hpp"
#include "core/words/table_words.hpp"

namespace scalescope::measure {

namespace {

bool is_number(std::string_view name) {
    return !name.empty() && name.find_first_not_of("0123456789.,") == std::string_view::npos;
}

/// In a header of two lines, the first line names groups of columns and the second line names the columns.
void join_header(Grid& grid) {
    if (grid.rows.empty()) return;
    std::size_t named = 0, below = 0;
    for (std::size_t c = 0; c < grid.header.size(); ++c) {
        named += !grid.header[c].empty();
        below += !grid.rows[0][c].empty();
    }
    const auto& below_names = grid.rows[0];
    if (named == 0 || named * 2 >= below) return;
    if (std::none_of(below_names.begin(), below_names.end(), is_number)) return;
    grid.corner = *std::find_if(grid.header.begin(), grid.header.end(), [](auto name) { return !name.empty(); });
    grid.header = grid.rows[0];
    grid.rows.erase(grid.rows.begin());
    grid.lines.erase(grid.lines.begin());
}

/// Repeats merged cells, which are empty in all rows but the first.
void repeat_merged(Grid& grid) {
    grid.continued.assign(grid.rows.size(), false);
    for (std::size_t r = 1; r < grid.rows.size(); ++r) {
        auto& row = grid.rows[r];
        const auto first = std::find_if(row.begin(), row.end(), [](auto cell) { return !cell.empty(); });
        if (first == row.end()) continue;
        for (auto cell = row.begin(); cell != first; ++cell) {
            *cell = grid.rows[r - 1][static_cast<std::size_t>(cell - row.begin())];
            grid.continued[r] = grid.continued[r] || !cell->empty();
        }
    }
}

/// Cells such as "2,0T" and "184.320" have a comma before the fraction.
bool has_decimal_commas(const Grid& grid) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    constexpr std::size_t thousands = 3;
    bool any = false;
    for (const auto& row : grid.rows)
        for (const std::string_view cell : row) {
            if (cell.empty() || !is_digit(cell.front())) continue;
            const std::size_t sign = cell.find_first_not_of("0123456789");
            if (sign == cell.npos || (cell[sign] != ',' && cell[sign] != '.')) continue;
            std::size_t end = sign + 1;
            while (end < cell.size() && is_digit(cell[end])) ++end;
            if (end < cell.size() && (cell[end] == ',' || cell[end] == '.')) continue;  // a list, or two groups
            const bool is_fraction = end - sign - 1 != thousands && end > sign + 1;
            if (is_fraction && cell[sign] == '.') return false;
            any = any || is_fraction;
        }
    return any;
}

/// Writes numbers with a point before the fraction.
void use_decimal_points(Grid& grid) {
    if (!has_decimal_commas(grid)) return;
    for (auto& row : grid.rows)
        for (std::string_view& cell : row) {
            if (cell.empty() || cell.front() < '0' || cell.front() > '9') continue;
            const std::size_t end = std::min(cell.find_first_not_of("0123456789.,"), cell.size());
            std::string text(cell);
            for (std::size_t i = 0; i < end; ++i) text[i] = cell[i] == ',' ? '.' : cell[i] == '.' ? ',' : cell[i];
            cell = grid.texts.emplace_back(std::move(text));
        }
}

bool is_figure(std::string_view name) { return read_column(name, true).means == "figure"; }
bool is_figure_with_unit(std::string_view name) { return is_figure(name) && !read_column(name, true).unit.empty(); }
bool is_name(std::string_view name) { return !read_number(name) && !read_column(name, true).means.empty(); }

/// Whether a header only titles the names below it ("Metric"), or the headers beside it ("GPUs | 8 | 16").
bool titles_names(const Grid& grid, std::size_t c) {
    if (grid.header[c].empty()) return true;
    if (c == 0 && std::all_of(grid.header.begin() + 1, grid.header.end(), is_number)) return true;
    const std::string means = read_column(grid.header[c], false).means;
    return means.empty() || (means == "metric" && std::none_of(grid.header.begin(), grid.header.end(), [](auto name) {
                                 return read_column(name, true).means == "value";
                             }));
}

/// Index of the column whose cells name figures, if no column name does; otherwise the number of columns.
std::size_t column_of_names(const Grid& grid) {
    const std::size_t none = grid.header.size();
    constexpr std::size_t most_figures = 100;  // most rows of a table to transpose
    if (grid.rows.empty() || grid.rows.size() > most_figures ||
        std::any_of(grid.header.begin(), grid.header.end(), is_figure_with_unit))
        return none;
    for (std::size_t c = 0; c + 1 < grid.header.size(); ++c) {
        if (!titles_names(grid, c)) continue;
        constexpr std::size_t most_others = 4;  // for each name
        std::size_t figures = 0, names = 0, others = 0;
        for (const auto& row : grid.rows) {
            figures += is_name(row[c]) && is_figure(row[c]);
            if (!row[c].empty()) ++(is_name(row[c]) ? names : others);
        }
        if (figures > 0 && names * most_others >= others) return c;
    }
    return none;
}

/// Appends the units of a column of their own to the names in front of it.
void join_units(Grid& grid, std::size_t names) {
    const std::size_t units = names + 1;
    if (units + 1 >= grid.header.size() || read_column(grid.header[units], false).means != "unit") return;
    for (auto& row : grid.rows) {
        row[names] = grid.texts.emplace_back(std::string(row[names]) + " " + std::string(row[units]));
        row.erase(row.begin() + static_cast<std::ptrdiff_t>(units));
    }
    grid.header.erase(grid.header.begin() + static_cast<std::ptrdiff_t>(units));
}

/// Splits a text into passages (paragraphs, headings, list entries and single short lines) and appends them.
void add_passages(std::string_view text, std::vector<std::string>& passages) {
    constexpr std::size_t shortest = 55;  // of a line that goes on in the next one
    bool goes_on = false;
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const auto words = trimmed(line);
        const bool begins = words.find_first_of("#-*|+>`") == 0 || words.substr(0, words.find(' ')).ends_with('.');
        if (!words.empty() && goes_on && !begins)
            passages.back() += ' ' + std::string(words);
        else if (!words.empty())
            passages.emplace_back(line);
        goes_on = line.size() >= shortest && !words.starts_with('#');
    }
}

/// Adds the passages around a table, those above it in upward order.
void add_around(Grid& grid, std::string_view title, std::string_view below, std::string_view above) {
    constexpr std::size_t longest = 2000;  // of a text
    const auto add_upwards = [&](std::string_view text) {
        std::vector<std::string> passages;
        add_passages(text.substr(text.size() - std::min(text.size(), longest)), passages);
        grid.around.insert(grid.around.end(), std::make_move_iterator(passages.rbegin()),
                           std::make_move_iterator(passages.rend()));
    };
    add_upwards(title);
    add_passages(below.substr(0, longest), grid.around);
    add_upwards(above);
}

Grid turned(const Grid& grid, std::size_t names) {
    Grid t;
    t.around = grid.around, t.corner = grid.corner;
    t.header.push_back(grid.header[names].empty() ? grid.corner : grid.header[names]);
    // "Llama 3 8B, BF16": a corner that names no column says what all of them are about.
    if (!grid.header[names].empty() && read_column(grid.header[names], false).means.empty())
        t.around.insert(t.around.begin(), std::string(grid.header[names]));
    for (std::size_t r = 0; r < grid.rows.size(); ++r) {
        t.header.push_back(grid.rows[r][names]);
        for (std::size_t c = 0; c < names; ++c)
            if (!grid.rows[r][c].empty()) t.around.emplace_back(grid.rows[r][c]);
    }
    for (std::size_t c = names + 1; c < grid.header.size(); ++c) {
        std::vector<std::string_view> row{grid.header[c]};
        for (const auto& of : grid.rows) row.push_back(of[c]);
        t.rows.push_back(std::move(row));
        t.lines.push_back(grid.lines.front());
        t.continued.push_back(false);
    }
    return t;
}

}  // namespace

bool says_nothing(std::string_view cell) {
    const std::string small = in_small_letters(trimmed(cell));
    return small.find_first_not_of("-–—?./ ") == std::string::npos ||
           is_among(small, "n/a na none null nan tbd oom x unknown") || small.starts_with("not ");
}

Grid::Counts Grid::counts_of(std::size_t column) const {
    constexpr std::size_t looked_at = 200;
    Counts counts;
    for (std::size_t r = 0; r < std::min(rows.size(), looked_at); ++r) {
        const auto cell = rows[r][column];
        if (says_nothing(cell)) continue;
        ++counts.filled;
        const auto number = read_number(cell);
        counts.numbers += number.has_value();
        counts.with_unit += number && !number->unit.empty();
        if (number && counts.unit.empty()) counts.unit = read_number(cell.substr(0, cell.find(" / ")))->unit;
    }
    return counts;
}

Grid grid_of(const formats::CsvTable& table, std::string_view above, std::string_view below) {
    Grid grid;
    add_around(grid, table.title(), below, above);
    grid.header = table.names();
    for (std::size_t r = 0; r < table.rows(); ++r) {
        auto& row = grid.rows.emplace_back();
        for (std::size_t c = 0; c < table.columns(); ++c) row.push_back(table.cell(r, c));
        grid.lines.push_back(table.at(r, 0).line);
    }
    join_header(grid);
    repeat_merged(grid);
    use_decimal_points(grid);
    if (grid.corner.empty() && !grid.header.empty()) grid.corner = grid.header.front();
    const std::size_t names = column_of_names(grid);
    if (names == grid.header.size()) return grid;
    join_units(grid, names);
    Grid turned_grid = turned(grid, names);
    turned_grid.texts = std::move(grid.texts);
    return turned_grid;
}

}  // namespace scalescope::measure
