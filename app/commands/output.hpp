// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"

namespace scalescope::app {

using Cell = TableCell;
using Table = FigureTable;

/// The value, or nothing.
Cell cell_of(const std::optional<double>& value);
Cell cell_of(const std::optional<std::int64_t>& value);

/// Valid UTF-8 without control characters: a name with an escape sequence in it must not steer the terminal.
std::string for_terminal(std::string_view text);

enum class OutputFormat {
    table,  ///< aligned for people, six digits, units by size
    csv,    ///< header row, quoted as in RFC 4180, shortest numbers that read back the same
    json,   ///< a list of objects, the same numbers
};

/// Whether `out` is the standard output, and that a terminal.
bool is_terminal(const std::ostream& out);
/// Characters in a line of a terminal: as COLUMNS says, or the terminal itself.
std::optional<std::size_t> terminal_width(const std::ostream& out);

/// A table for people has no line longer than `width` (at least 40): long texts are cut and end with "…", and columns
/// that do not fit are printed below as a second table, with the first column repeated. Without `width`, as for a pipe,
/// nothing is cut.
void write_table(std::ostream& out, const Table& table, OutputFormat format, std::optional<std::size_t> width);
/// The same, as wide as the terminal that `out` is.
void write_table(std::ostream& out, const Table& table, OutputFormat format);

/// Hands on one row after the other, as wide as the columns; the same ones whenever it is called.
using TakeRow = std::function<void(const std::vector<Cell>& row)>;
using EachRow = std::function<void(const TakeRow& take)>;

/// The same table of rows that nobody holds. For people they are asked for several times, as units and widths depend
/// on all of them.
void write_rows(std::ostream& out, const std::vector<std::string>& columns, const EachRow& each, OutputFormat format,
                std::optional<std::size_t> width);

}  // namespace scalescope::app
