// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "core/base/letters.hpp"
#include "core/base/limits.hpp"
#include "core/formats/tables/reading.hpp"

namespace scalescope::formats::tables {

namespace {

/// One pass over a part of the text, row by row.
class SeparatedReader {
public:
    SeparatedReader(Reading& reading, std::size_t begin, std::size_t end, char separator)
        : reading_(reading), text_(reading.store.text.substr(0, end)), at_(begin), separator_(separator) {}

    void read_table() {
        store_.cells.reserve(std::min(text_.size(), limits::csv_cells));  // growing never copies them
        for (bool is_header = true; !reading_.is_broken() && skip_to_row(); is_header = false) {
            if (reading_.is_given_up(at_)) return;
            if (is_header) separator_ = separator_of(line_at(text_, at_).text);
            const std::size_t first = store_.cells.size(), begin = at_;
            read_row(store_.cells);
            if (reading_.is_broken()) return;
            if (is_header)
                reading_.end_header();
            else if (store_.cells.size() - first == store_.columns)
                complete_row_ = first;
            else if (!fill_merged(first, begin))
                drop_ragged(first, begin);
            store_.end = at_;
        }
    }

    void append_to(std::vector<Row>& rows) {
        std::size_t cells = 0;
        for (const Row& row : rows) cells += row.size();
        while (!reading_.is_broken() && reading_.has_room(cells, at_) && skip_to_row()) {
            if (reading_.is_given_up(at_)) return;
            read_row(rows.emplace_back());
            cells += rows.back().size();
        }
    }

private:
    bool ends_line(std::size_t i) const {
        return i >= text_.size() || text_[i] == '\n' ||
               (text_[i] == '\r' && (i + 1 == text_.size() || text_[i + 1] == '\n'));
    }
    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || (text_[at_] == '\t' && separator_ != '\t'))) ++at_;
    }
    void skip_line_end() { at_ = line_at(text_, at_).next; }

    /// To the first byte of the next row; false if there is none.
    bool skip_to_row() {
        for (; at_ < text_.size(); skip_line_end()) {
            const std::size_t begin = at_;
            skip_blanks();
            const bool comment = has_comments_ && is_comment(text_.substr(at_, 2));
            if (comment || ends_line(at_)) continue;
            at_ = begin;
            return true;
        }
        return false;
    }

    void read_row(Row& row) {
        for (;; ++at_) {  // from one separator to the next
            skip_blanks();
            if (reading_.has_room(row.size(), at_)) read_cell(row);
            if (reading_.is_broken()) return;
            if (ends_line(at_)) break;
        }
        skip_line_end();
    }

    void read_cell(Row& row) {
        Cell cell = cell_at(at_);
        if (at_ < text_.size() && text_[at_] == '"')
            read_quoted(cell);
        else
            read_plain(cell);
        reading_.add(row, cell);
    }

    void read_plain(Cell& cell) {
        std::size_t end = at_;
        while (end < text_.size() && text_[end] != separator_ && text_[end] != '\n' && text_[end] != '\r') ++end;
        if (!ends_line(end) && text_[end] != separator_) return reading_.stop_at_return(end);
        cell = cell_at(at_, trimmed(text_.substr(at_, end - at_)).size());
        at_ = end;
    }

    void read_quoted(Cell& cell) {
        const std::size_t opening = at_++;
        std::size_t begin = at_;
        std::string words;  // if a quote is written twice: once, as part of the text
        for (;; begin = ++at_) {
            at_ = std::min(text_.find('"', at_), text_.size());
            if (at_ == text_.size())
                return reading_.stop(opening, "This quote is never closed.", "Write a second \" where the cell ends.");
            if (!text_.substr(++at_).starts_with('"')) break;
            words += text_.substr(begin, at_ - begin);
        }
        const auto rest = text_.substr(begin, at_ - 1 - begin);
        if (begin == opening + 1)
            cell.slice = cell_at(begin, rest.size()).slice;
        else
            store_.keep(cell, words += rest);
        if (separator_ != ' ') skip_blanks();
        if (!ends_line(at_) && text_[at_] != separator_)
            reading_.stop(at_, "Text follows the closing quote of a cell.",
                          "Put all of the cell between the quotes, and write a quote inside twice.");
    }

    enum class CellKind { nothing, number, words };
    CellKind kind_of(const Cell& cell) const {
        for (const char c : store_.view(cell)) {
            if (c >= '0' && c <= '9') return CellKind::number;
            if (is_letter(c)) return CellKind::words;
        }
        return CellKind::nothing;
    }
    /// Copied from a page, rows lack cells that are merged with those above. Empty cells take their place where numbers
    /// and words then stand below numbers and words of the last complete row; if in doubt, at the beginning.
    bool fill_merged(std::size_t first, std::size_t begin) {
        const std::size_t width = store_.cells.size() - first;
        if (separator_ != '\t' || complete_row_ == 0 || width > store_.columns || is_prose(line_at(text_, begin).text))
            return false;
        const std::size_t missing = store_.columns - width;
        const auto fits = [&](std::size_t cell, std::size_t column) {
            const CellKind kind = kind_of(store_.cells[first + cell]);
            return kind == CellKind::nothing || kind == kind_of(store_.cells[complete_row_ + column]) ? 1 : 0;
        };
        std::size_t gap = 0;
        int gain = 0, best = 0;  // cells that fit because they stand before the gap
        for (std::size_t cell = 0; cell < width; ++cell) {
            gain += fits(cell, cell) - fits(cell, cell + missing);
            if (gain > best) best = gain, gap = cell + 1;
        }
        store_.cells.insert(store_.cells.begin() + static_cast<std::ptrdiff_t>(first + gap), missing, cell_at(begin));
        return true;
    }

    void drop_ragged(std::size_t first, std::size_t begin) {
        const std::size_t width = store_.cells.size() - first;
        const bool wide = width > store_.columns;
        reading_.error(wide ? store_.cells[first + store_.columns].offset : begin,
                       "This row has " + std::to_string(width) + (width == 1 ? " cell" : " cells") +
                           "; the header has " + std::to_string(store_.columns) + ".",
                       wide ? "Remove what is too much, or put a cell that contains a separator in quotes."
                            : "Add the cells that are missing, empty ones too.");
        store_.cells.resize(first);
    }

    Reading& reading_;
    Store& store_ = reading_.store;
    const std::string_view text_;
    std::size_t at_;
    std::size_t complete_row_ = 0;  ///< first cell of the last row with all cells
    char separator_;
    const bool has_comments_ = reading_.layout.kind != Layout::Kind::csv;
};

}  // namespace

void read_separated(Reading& reading) {
    SeparatedReader(reading, reading.layout.begin, reading.layout.end, ',').read_table();
}

void read_separated_rows(Reading& reading, std::string_view part, char separator, std::vector<Row>& rows) {
    if (part.empty()) return;
    const std::size_t begin = reading.store.offset_of(part);
    SeparatedReader(reading, begin, begin + part.size(), separator).append_to(rows);
}

}  // namespace scalescope::formats::tables
