// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/formats/csv.hpp"

namespace scalescope::measure {

/// The cells of a table, turned so that each row is one configuration. Views the table and must not outlive it.
struct Grid {
    std::vector<std::string_view> header;
    std::vector<std::vector<std::string_view>> rows;  ///< each as long as the header
    std::vector<int> lines;                           ///< of the rows, in the file, from 1
    std::string_view corner;                          ///< what names that are plain numbers count: "Nodes"
    std::string title;                                ///< text that holds for the whole table

    /// Number of cells of the column that hold a value, and of those that hold a number. Looks at 200 rows.
    struct Counts {
        std::size_t filled = 0, numbers = 0;
        std::string unit;  ///< of the first number that has one
        bool are_numbers() const { return filled > 0 && 2 * numbers >= filled; }
    };
    Counts counts_of(std::size_t column) const;
};

/// Whether the cell gives no value: "n/a", "-", "none".
bool says_nothing(std::string_view cell);

/// Joins a header of two lines, and turns a table whose rows are figures ("Tokens per second") and whose columns are
/// configurations.
Grid grid_of(const formats::CsvTable& table);

}  // namespace scalescope::measure
