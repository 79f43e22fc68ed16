// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/formats/tables/cell_text.hpp"
#include "core/formats/tables/reading.hpp"

namespace scalescope::formats::tables {

namespace {

/// Length of the cell that the text begins with.
std::size_t length_to_bar(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size() && text[at] != '|') at += text.substr(at, 2) == "\\|" ? 2 : 1;
    return at;
}

void read_row_of_bars(Reading& reading, std::string_view line) {
    Store& store = reading.store;
    auto rest = line.substr(line.find_first_not_of(" \t"));
    if (rest.starts_with('|')) rest.remove_prefix(1);
    do {
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
        const std::size_t offset = store.offset_of(rest);
        if (!reading.has_room(store.cells.size(), offset)) return;
        const auto written = rest.substr(0, length_to_bar(rest));
        if (const std::size_t at = written.find('\r'); at != rest.npos) return reading.stop_at_return(offset + at);
        Cell cell = cell_at(offset, trimmed(written).size());
        if (const auto text = markdown_text(store.view(cell))) store.keep(cell, *text);
        reading.add(store.cells, cell);
        rest.remove_prefix(std::min(written.size() + 1, rest.size()));
    } while (!trimmed(rest).empty());
}

/// The line of dashes below the header; rows without any text separate parts of a table.
bool is_row_of_dashes(const Store& store, std::size_t first) {
    return std::all_of(store.cells.begin() + static_cast<std::ptrdiff_t>(first), store.cells.end(), [&](const Cell& c) {
        const auto text = store.view(c);
        return text.find_first_not_of("-:= ") == text.npos && text.find_first_of("-=") != text.npos;
    });
}

}  // namespace

void read_bars(Reading& reading) {
    Store& store = reading.store;
    const std::string_view text = store.text.substr(0, reading.layout.end);
    const std::size_t begin = reading.layout.begin;
    const bool bar_in_front = trimmed(line_at(text, begin).text).starts_with('|');
    for (TextLine line{begin, begin, {}}; line.advance(text);) {
        const auto words = trimmed(line.text);
        const bool follows_row = !bar_in_front || store.offset_of(words) == store.end;
        if (!words.starts_with('|') && (!follows_row || words.find('|') == words.npos)) continue;
        const std::size_t first = store.cells.size();
        if (!reading.is_given_up(line.begin)) read_row_of_bars(reading, line.text);
        if (reading.is_broken()) return;
        if (first == 0)
            reading.end_header();
        else if (is_row_of_dashes(store, first))
            store.cells.resize(first);
        else  // rows may be wider or narrower than the header (GitHub Flavored Markdown, 4.10)
            store.cells.resize(first + store.columns, cell_at(line.next));
        store.end = line.next;
    }
}

}  // namespace scalescope::formats::tables
