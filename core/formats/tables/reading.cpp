// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/tables/reading.hpp"

#include "core/base/limits.hpp"
#include "core/formats/csv_write.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace scalescope::formats::tables {

Problems read_table(Store& store, const Layout& layout, std::size_t above, const Watch& watch) {
    const auto title = store.text.substr(above, layout.begin - above);
    store.title = title.substr(0, title.find_last_not_of(spaces_and_ends) + 1);
    Reading reading(store, layout, watch);
    switch (layout.kind) {
        case Layout::Kind::separated:
        case Layout::Kind::block: read_separated(reading); break;
        case Layout::Kind::bars: read_bars(reading); break;
        case Layout::Kind::grid:
        case Layout::Kind::columns: reading.take(read_rest(store, layout)); break;
        case Layout::Kind::html: reading.take(read_html(store.text, layout.begin, store.unescaped)); break;
        case Layout::Kind::list: reading.take(read_list_directive(store, layout)); break;
        case Layout::Kind::csv: reading.take(read_csv_directive(reading)); break;
        case Layout::Kind::log: read_log(reading); break;
    }
    if (!reading.is_broken() && store.columns == 0)
        reading.stop(0, "The table is empty.", "Write the names of the columns in its first line, and rows below.");
    return reading.take_problems();
}

bool Reading::is_given_up(std::size_t at) {
    if (rows_++ % 1024 != 0) return false;
    watch_.progress(static_cast<double>(at) / static_cast<double>(std::min(layout.end, store.text.size())));
    if (watch_.cancel.cancelled()) stop(0, "Reading the file was given up.", "Open it again.");
    return broken_;
}

bool Reading::has_room(std::size_t cells, std::size_t offset) {
    if (cells < limits::csv_cells) return true;
    stop(offset, "The table has more than " + std::to_string(limits::csv_cells) + " cells.", "Choose a smaller file.");
    return false;
}

void Reading::error(std::size_t offset, std::string what, std::string remedy) {
    problems_.error(store.position(offset), {}, std::move(what), std::move(remedy));
    broken_ = broken_ || problems_.errors() > limits::problems;
}

void Reading::stop(std::size_t offset, std::string what, std::string remedy) {
    error(offset, std::move(what), std::move(remedy));
    broken_ = true;
}

void Reading::stop_at_return(std::size_t offset) {
    stop(offset, "A carriage return stands inside a line.", "End lines with LF or CR LF.");
}

void Reading::add(Row& row, Cell cell) const {
    if (const auto text = store.view(cell); text.starts_with('\'') && reads_as_formula(text)) {
        ++cell.slice.begin;
        --cell.slice.length;
    }
    row.push_back(cell);
}

void Reading::end_header() {
    store.columns = store.cells.size();
    if (store.columns > limits::csv_columns) {
        stop(store.cells.front().offset,
             "The table has " + std::to_string(store.columns) + " columns; at most " +
                 std::to_string(limits::csv_columns) + " are read.",
             "Remove columns that are not needed.");
        return;
    }
    if (layout.kind != Layout::Kind::separated) return;  // on pages, names may repeat
    std::unordered_set<std::string> known;               // as they are written: a table that was read can be kept
    for (const Cell& cell : store.cells) {
        const auto name = store.view(cell);
        if (name.empty() || known.insert(csv_cell(name)).second) continue;
        error(cell.offset, "There are two columns " + quoted(name) + ".", "Give each column a name of its own.");
    }
}

void Reading::take(TableRows table) {
    store.end = layout.end;
    if (broken_ || table.rows.empty()) return;
    const std::size_t headers = std::clamp<std::size_t>(table.headers, 1, table.rows.size());
    store.cells = store.joined(std::span(table.rows).first(headers));
    end_header();
    std::size_t drawn = 0;  // cells as they were read: all rows of the header, and those beyond its width
    for (std::size_t r = 0; r < table.rows.size() && !broken_; ++r) {
        Row& row = table.rows[r];
        drawn += std::max(row.size(), store.columns);
        if (!has_room(drawn, row.empty() ? layout.begin : row.front().offset)) return;
        if (r < headers) continue;
        for (std::size_t c = row.size(); c-- > 1;)
            if (row[c].offset == row[c - 1].offset) row[c].slice.length = 0;  // spanned by the cell before
        row.resize(store.columns, cell_at(row.empty() ? layout.begin : row.back().offset));
        store.cells.insert(store.cells.end(), row.begin(), row.end());
    }
}

}  // namespace scalescope::formats::tables
