// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/formats/csv_table.hpp"

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

/// Tables as comma-separated values (RFC 4180): a header row, then rows as wide as it. What columns mean is said
/// elsewhere.
namespace scalescope::formats {

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
template <std::same_as<std::string> Text>
Result<CsvTable> parse_csv(Text&& text, std::string file, const Watch& watch = {}) {
    return parse_kept_csv(std::move(text), std::move(file), watch);
}

/// True if the first line that is neither blank nor a comment could be a header: several names with a separator between
/// them and nothing that models and scenarios are written with (braces, brackets, colons, angle brackets).
bool looks_like_csv(std::string_view text);

}  // namespace scalescope::formats
