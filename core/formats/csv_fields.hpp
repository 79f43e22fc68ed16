// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/csv_table.hpp"
#include "core/formats/json_decoder.hpp"

#include <cstdint>

namespace scalescope::formats {

/// Reads cells as what they should be and reports what they are not: every problem of a file, not only the first.
class CsvFields {
public:
    CsvFields(const CsvTable& table, ProblemList& problems) : table_(table), problems_(problems) {}

    /// The column called so; reports that it is missing, with the closest name there is.
    std::optional<std::size_t> required(std::string_view name);
    std::optional<std::size_t> optional(std::string_view name) const { return table_.column(name); }

    /// Each reports a cell that is empty (if it must not be), no such value, or outside of low … high.
    std::optional<std::string> text(std::size_t row, std::size_t column);
    std::optional<std::int64_t> integer(std::size_t row, std::size_t column, std::int64_t low, std::int64_t high) {
        return filled(row, column) ? optional_integer(row, column, low, high) : std::nullopt;
    }
    std::optional<double> number(std::size_t row, std::size_t column, double low, double high) {
        return filled(row, column) ? optional_number(row, column, low, high) : std::nullopt;
    }
    /// Nothing, and no problem, if the cell is empty.
    std::optional<std::int64_t> optional_integer(std::size_t row, std::size_t column, std::int64_t low,
                                                 std::int64_t high);
    std::optional<double> optional_number(std::size_t row, std::size_t column, double low, double high);

    /// A problem with one cell.
    void error(std::size_t row, std::size_t column, std::string what, std::string remedy);

private:
    bool filled(std::size_t row, std::size_t column);

    const CsvTable& table_;
    ProblemList& problems_;
};

}  // namespace scalescope::formats
