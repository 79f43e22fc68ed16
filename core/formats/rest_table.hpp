// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/csv_store.hpp"
#include "core/formats/table_layout.hpp"

namespace scalescope::formats {

/// Reads a table of reStructuredText, whose cells are found by their place below the rules: a grid ("+---+---+"), or a
/// simple table ("===  ==="). Lines of the header are joined, and so are those of a row of a grid. In other grids, as
/// databases print them, each line is a row.
detail::TableRows read_rest_table(detail::CsvStore& store, const TableLayout& layout);

}  // namespace scalescope::formats
