// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/base/watch.hpp"
#include "core/formats/json_decoder.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// Tables as comma-separated values (RFC 4180): a header row, then rows as wide as it. What columns mean is said
/// elsewhere.
namespace scalescope::formats {

namespace detail {
struct CsvStore;
}

/// A parsed file. Views its text, or keeps it: see parse_csv. Rows count from 0 below the header, columns from 0. Views
/// live as long as the table.
class CsvTable {
public:
    explicit CsvTable(std::shared_ptr<const detail::CsvStore> store) : store_(std::move(store)) {}

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
    std::shared_ptr<const detail::CsvStore> store_;
};

/// Parses a whole file (UTF-8, a byte-order mark is skipped). The header says what separates cells: a comma, or if it
/// has none a semicolon or a tab. Lines end with LF or CR LF. Spaces around a cell are dropped; one in double quotes
/// keeps them, and separators, line ends and quotes written twice. Tables of Markdown, reStructuredText and HTML are
/// read too (title() has the text above, next() the table below): names of columns may repeat, and rows are cut or
/// filled to the header's width. An apostrophe in front of what would read as a formula (csv_write.hpp) is dropped.
/// Rows with tabs may lack cells that are merged with those above. Lines that are blank, or begin with '#' outside
/// quotes, are skipped. Problems, with line and column (counted in characters): text that is empty or not UTF-8, a
/// column named twice, rows that are wider or narrower than the header (all of them), quotes that do not close or close
/// within a cell, more columns or cells than `limits`, that `watch` ended it. The table views `text`, which has to live
/// as long; a temporary string is kept by the table.
Result<CsvTable> parse_csv(std::string_view text, std::string file, const Watch& watch = {});
Result<CsvTable> parse_kept_csv(std::string text, std::string file, const Watch& watch = {});
template <class Text>
requires std::is_same_v<Text, std::string> Result<CsvTable> parse_csv(Text&& text, std::string file,
                                                                      const Watch& watch = {}) {
    return parse_kept_csv(std::move(text), std::move(file), watch);
}

/// True if the first line that is neither blank nor a comment could be a header: several names with a separator between
/// them and nothing that models and scenarios are written with (braces, brackets, colons, angle brackets).
bool looks_like_csv(std::string_view text);

/// Reads cells as what they should be and reports what they are not: every problem of a file, not only the first.
class CsvFields {
public:
    CsvFields(const CsvTable& table, ProblemList& problems) : table_(table), problems_(problems) {}

    /// The column called so; reports that it is missing, with the closest name there is.
    std::optional<std::size_t> required(std::string_view name);
    std::optional<std::size_t> optional(std::string_view name) const { return table_.column(name); }

    /// Each reports a cell that is empty (if it must not be), no such value, or outside of low … high.
    std::optional<std::string> text(std::size_t row, std::size_t column);
    std::optional<std::int64_t> integer(std::size_t row, std::size_t column, std::int64_t low, std::int64_t high);
    std::optional<double> number(std::size_t row, std::size_t column, double low, double high);
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
