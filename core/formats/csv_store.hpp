// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/json_store.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

/// The data behind a CsvTable.
namespace scalescope::formats::detail {

/// Compact, so that a large hostile file cannot eat the memory.
struct CsvCell {
    JsonSlice slice;
    std::uint32_t offset = 0;  ///< of the cell's first byte in the text, its quote if it has one
    bool unescaped = false;    ///< slice points into CsvStore::unescaped
};

struct CsvStore : LocatedText {
    using LocatedText::LocatedText;

    std::vector<CsvCell> cells;  ///< the header's, then row after row
    std::size_t columns = 0;
    JsonSlice title;                         ///< the text above a table
    std::size_t end = 0;                     ///< one past the table's last byte
    std::shared_ptr<const CsvStore> before;  ///< the table above, which may keep the text

    const CsvCell& at(std::size_t row, std::size_t column) const { return cells[row * columns + column]; }
    std::string_view view(const CsvCell& c) const { return LocatedText::view(c.slice, c.unescaped); }

    /// Joins the texts in each column with spaces; a cell that is repeated from row to row only counts once.
    std::vector<CsvCell> joined(std::span<const std::vector<CsvCell>> rows);
};

/// Rows as they are drawn: cells that span several columns or rows are repeated, with the same offset.
struct TableRows {
    std::vector<std::vector<CsvCell>> rows;
    std::size_t headers = 1;  ///< rows of the header
};

}  // namespace scalescope::formats::detail
