// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/json_store.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

/// Tables in texts: where they stand, and a reader for each way to write them.
namespace scalescope::formats::tables {

/// Compact, so that a large hostile file cannot eat the memory.
struct Cell {
    detail::JsonSlice slice;
    std::uint32_t offset = 0;  ///< of the cell's first byte in the text, its quote if it has one
    bool unescaped = false;    ///< slice points into Store::unescaped
};
using Row = std::vector<Cell>;

/// A cell that is a part of the text as it stands there.
inline Cell cell_at(std::size_t begin, std::size_t length = 0) {
    const auto offset = static_cast<std::uint32_t>(begin);
    return {{offset, static_cast<std::uint32_t>(length)}, offset, false};
}

/// The data behind a CsvTable.
struct Store : detail::LocatedText {
    using LocatedText::LocatedText;

    Row cells;  ///< the header's, then row after row
    std::size_t columns = 0;
    std::string_view title;               ///< the text above a table
    std::size_t end = 0;                  ///< one past the table's last byte
    std::shared_ptr<const Store> before;  ///< the table above, which may keep the text

    const Cell& at(std::size_t row, std::size_t column) const { return cells[row * columns + column]; }
    using LocatedText::view;
    std::string_view view(const Cell& c) const { return view(c.slice, c.unescaped); }
    std::size_t offset_of(std::string_view part) const { return static_cast<std::size_t>(part.data() - text.data()); }

    /// Lets the cell say something else than the text does.
    void keep(Cell& cell, std::string_view words);
    /// Joins the texts in each column with spaces; a cell that is repeated from row to row only counts once.
    Row joined(std::span<const Row> rows);
};

/// Rows as they are drawn: cells that span several columns or rows are repeated, with the same offset.
struct TableRows {
    std::vector<Row> rows;
    std::size_t headers = 0;  ///< rows of the header, which is the first one if there are none
};

}  // namespace scalescope::formats::tables
