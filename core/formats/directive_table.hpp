// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/csv_store.hpp"
#include "core/formats/table_layout.hpp"

#include <optional>
#include <string_view>

/// Tables of the directives list-table and csv-table: ".. list-table:: Title" of reStructuredText, and
/// "```{list-table} Title" of MyST. Options for the width, the style and files are ignored.
namespace scalescope::formats {

/// The table of the directive that begins in the line, if it has rows. Its title belongs to the text above.
std::optional<TableLayout> find_directive(std::string_view text, const TextLine& line);

/// Reads a list whose items are lists of cells.
detail::TableRows read_list_table(detail::CsvStore& store, const TableLayout& layout);

/// Keeps only what readers of the page see of a cell: the text of links, roles and literals, on one line.
void drop_markup(detail::CsvStore& store, detail::CsvCell& cell);

}  // namespace scalescope::formats
