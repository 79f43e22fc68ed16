// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>

#include "core/base/table.hpp"

namespace scalescope::app {

using Cell = TableCell;
using Table = FigureTable;

/// The value, or nothing.
Cell cell_of(const std::optional<double>& value);
Cell cell_of(const std::optional<std::int64_t>& value);

enum class OutputFormat {
    table,  ///< aligned for people, six digits
    csv,    ///< header row, quoted as in RFC 4180, shortest numbers that read back the same
    json,   ///< a list of objects, the same numbers
};

void write_table(std::ostream& out, const Table& table, OutputFormat format);

}  // namespace scalescope::app
