// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/formats/csv.hpp"

namespace scalescope::measure {

/// A table of runs while somebody works on it: words in cells, to be imported anew after every change. Comments of the
/// file it came from are not kept.
class RunSheet {
public:
    RunSheet() = default;
    explicit RunSheet(const formats::CsvTable& table);

    const std::vector<std::string>& names() const { return names_; }
    std::size_t rows() const { return cells_.size(); }
    std::size_t columns() const { return names_.size(); }
    /// Rows and columns must exist.
    const std::string& cell(std::size_t row, std::size_t column) const { return cells_[row][column]; }
    void set_cell(std::size_t row, std::size_t column, std::string text);
    /// `row` at most rows(); as many cells as there are columns.
    void insert_row(std::size_t row, std::vector<std::string> cells);
    std::vector<std::string> take_row(std::size_t row);

    /// The table as a file (RFC 4180): reads back cell for cell.
    std::string to_csv() const;
    bool operator==(const RunSheet&) const = default;

private:
    std::vector<std::string> names_;
    std::vector<std::vector<std::string>> cells_;
};

}  // namespace scalescope::measure
