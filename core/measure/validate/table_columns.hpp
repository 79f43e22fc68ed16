// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/measure/validate/grid.hpp"
#include "core/measure/validate/published.hpp"
#include "core/words/table_words.hpp"

namespace scalescope::measure {

/// The meanings of a table's columns, from their headers, their cells, the text around the table and what is given.
/// Refers to the grid and to what is given, and must not outlive them.
class TableColumns {
public:
    TableColumns(const Grid& grid, std::span<const GivenColumn> given);

    std::size_t size() const { return columns_.size(); }
    const ColumnReading& operator[](std::size_t c) const { return columns_[c]; }
    /// The columns of counts that the cells of column `c` hold together ("32x8"); empty if it is not compound.
    const std::vector<std::string>& compound(std::size_t c) const { return compounds_[c]; }
    bool is_header(std::string_view name) const;
    /// Whether a column has that meaning, or a value for all rows is given for it.
    bool has(std::string_view means) const;

private:
    ColumnReading meaning_of(std::size_t c) const;
    bool are_model_numbers(std::size_t c) const;
    bool are_numbered(std::size_t c) const;
    bool are_all_small(std::size_t c) const;
    bool any_precision(std::size_t c) const;
    std::vector<std::string> compound_of(std::size_t c) const;
    void drop_repeated();
    bool holds_several(std::size_t c) const;
    bool may_hold_figures(std::size_t c) const;
    void name_figures();

    const Grid& grid_;
    std::span<const GivenColumn> given_;
    ColumnReading of_table_;  ///< meaning of numbers whose column does not state one
    std::vector<ColumnReading> columns_;
    std::vector<std::vector<std::string>> compounds_;
};

/// The meaning of the column that a given value is for.
std::string given_means(const GivenColumn& given);
/// Whether the column holds whole numbers from 1 (count_columns).
bool is_count(std::string_view means);
/// Splits "32x8" or "8/4/2" into its numbers. Empty if a part is not a whole number.
std::vector<std::string_view> numbers_of(std::string_view cell);
/// "1761.3 / 2339.8" → "1761.3", "2339.8".
std::vector<std::string_view> parts_of(std::string_view cell);
/// The figure that a part of a cell states by its unit: "1.0s/it", "13.7G".
ColumnReading figure_with(std::string_view unit);

}  // namespace scalescope::measure
