// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/csv.hpp"

namespace scalescope::measure {

/// A table of runs while somebody works on it: words in cells. Comments of the file it came from are not kept. Copies
/// share the rows that are the same in both, so that one costs little, and so does finding out where two differ.
class RunSheet {
public:
    RunSheet() = default;
    explicit RunSheet(const formats::CsvTable& table);

    const std::vector<std::string>& names() const { return names_; }
    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return names_.size(); }
    /// Rows and columns must exist.
    const std::string& cell(std::size_t row, std::size_t column) const {
        return (*blocks_[row / block_rows])[row % block_rows][column];
    }
    void set_cell(std::size_t row, std::size_t column, std::string text);
    std::vector<std::string> take_row(std::size_t row);

    /// The table as a file (RFC 4180): reads back cell for cell.
    std::string to_csv() const;
    bool operator==(const RunSheet& other) const;

    struct Place {
        std::size_t row = 0, column = 0;
    };
    /// The cells that differ, in order; nothing if there are more than `most`, or if names or the count of rows differ.
    std::optional<std::vector<Place>> differences(const RunSheet& other, std::size_t most) const;

private:
    using Cells = std::vector<std::string>;
    using Block = std::vector<Cells>;
    static constexpr std::size_t block_rows = 256;

    /// A block that no other sheet shares.
    Block& own_block(std::size_t index);
    std::vector<Cells> take_from(std::size_t row);
    void append(std::vector<Cells> rows);

    std::vector<std::string> names_;
    std::size_t rows_ = 0;
    std::vector<std::shared_ptr<const Block>> blocks_;  ///< all but the last with block_rows rows
};

}  // namespace scalescope::measure
