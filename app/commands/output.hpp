// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace scalescope::app {

/// Nothing (an empty field, null in JSON), text, a measured number, or a count.
using Cell = std::variant<std::monostate, std::string, double, std::int64_t>;

/// The value, or nothing.
Cell cell_of(const std::optional<double>& value);
Cell cell_of(const std::optional<std::int64_t>& value);

/// What every verb writes. Units stand in the column names: "forward_ms", "memory_gib".
struct Table {
    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;  ///< as wide as `columns`
};

enum class OutputFormat {
    table,  ///< aligned for people, six digits
    csv,    ///< header row, quoted as in RFC 4180, shortest numbers that read back the same
    json,   ///< a list of objects, the same numbers
};

void write_table(std::ostream& out, const Table& table, OutputFormat format);

}  // namespace scalescope::app
