// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/csv_store.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace scalescope::formats {

struct HtmlTable : detail::TableRows {
    std::size_t end = 0;  ///< one past "</table>", or where a table inside this one begins

    /// Whether it holds data. Pages also use tables to place things.
    bool has_data() const { return rows.size() > headers && rows.back().size() > 1; }
};

/// Reads the table that begins with the "<table" at `begin`. Only knows what tables of figures are made of: rows, cells
/// that span others, common entities and line breaks; other tags are dropped. Rows of the header are those at the top
/// that are in its head or have header cells only, at least the first row. Appends the texts of the cells to `texts`.
HtmlTable read_html_table(std::string_view text, std::size_t begin, std::string& texts);

/// Appends `html`, the text of one cell, without its tags and with its entities as characters.
void append_html_text(std::string_view html, std::string& text);

}  // namespace scalescope::formats
