// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/csv.hpp"

namespace scalescope::measure {

/// The cells of a table, transposed if necessary so that each row is one configuration. Refers to the table and must
/// not outlive it.
struct Grid {
    std::vector<std::string_view> header;
    std::vector<std::vector<std::string_view>> rows;  ///< each as long as the header
    std::vector<int> lines;                           ///< line of each row in the file, from 1
    std::vector<bool> continued;                      ///< the first cells of the row are those of the row above
    std::string_view corner;                          ///< what column names that are plain numbers count: "Nodes"
    std::vector<std::string> around;                  ///< passages that apply to the whole table, the nearest first

    std::deque<std::string> texts;  ///< cells and headers that were put together

    /// How many cells of a column contain a value, how many of these are numbers, and how many of those have a unit.
    /// Only counts the first 200 rows.
    struct Counts {
        std::size_t filled = 0, numbers = 0, with_unit = 0;
        std::string unit;  ///< unit of the first number that has one
        bool are_numbers() const { return filled > 0 && 2 * numbers >= filled; }
    };
    Counts counts_of(std::size_t column) const;
};

/// Whether the cell does not contain a value: "n/a", "-", "none".
bool says_nothing(std::string_view cell);

/// Joins a header of two lines. Empty cells at the beginning of a row belong to a merged cell and repeat the row above.
/// Transposes a table whose rows are figures ("Tokens per second") and whose columns are
/// configurations. `above`: what stands further above than the title; `below`: what stands below the table.
Grid grid_of(const formats::CsvTable& table, std::string_view above, std::string_view below);

}  // namespace scalescope::measure
