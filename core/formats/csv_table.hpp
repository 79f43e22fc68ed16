// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scalescope::formats {

namespace tables {
struct Store;
}

/// A parsed file. Views its text, or keeps it: see parse_csv. Rows count from 0 below the header, columns from 0. Views
/// live as long as the table.
class CsvTable {
public:
    explicit CsvTable(std::shared_ptr<const tables::Store> store) : store_(std::move(store)) {}

    const std::string& file() const;
    std::size_t rows() const;
    std::size_t columns() const;

    std::string_view title() const;        ///< the text above the table, and below the one above it
    std::string_view text_below() const;   ///< the text below the table, down to a heading above the next table
    std::optional<CsvTable> next() const;  ///< the next table in the text, if it can be read
    std::string_view name(std::size_t column) const;                   ///< of a column, as the header has it
    std::vector<std::string_view> names() const;                       ///< of all columns
    std::optional<std::size_t> column(std::string_view name) const;    ///< spelled exactly so
    std::string_view cell(std::size_t row, std::size_t column) const;  ///< empty if nothing stands there
    SourcePosition at(std::size_t row, std::size_t column) const;      ///< where a cell begins
    SourcePosition name_at(std::size_t column) const;                  ///< where a column's name begins

private:
    std::shared_ptr<const tables::Store> store_;
};

}  // namespace scalescope::formats
