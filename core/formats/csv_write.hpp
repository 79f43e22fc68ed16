// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/table.hpp"

/// Tables as files (RFC 4180): what parse_csv reads back, and neither a spreadsheet nor a terminal takes for orders.
namespace scalescope::formats {

/// Whether a spreadsheet would take this text for a formula. Numbers such as -1.5 are none. Apostrophes in front count
/// as part of it, so that one can be added and taken away again.
bool reads_as_formula(std::string_view text);

/// A cell as a file has it: in quotes where it holds a separator, a quote or an end of line, begins with '#', or begins
/// or ends with a space, which would be dropped. A text that reads as a formula gets an apostrophe in front, which
/// parse_csv takes away; control characters other than tabs and ends of lines become '?'.
std::string csv_cell(std::string_view text);

/// A row with its end of line. One empty cell is written as "", since a blank line is not a row.
std::string csv_row(std::span<const std::string> cells);

std::string csv_row(std::span<const TableCell> cells);

/// Comments, the columns' names, the rows. Numbers are the shortest that read back the same; cells that are not finite
/// are left empty. A part of a comment that a spreadsheet would take for a formula gets an apostrophe, as cells do.
std::string write_csv(const FigureTable& table, std::span<const std::string> comments = {});

}  // namespace scalescope::formats
