// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace scalescope::formats::tables {

/// The position of a table in a text, and how its cells are separated.
struct Layout {
    enum class Kind {
        separated,  ///< by commas, semicolons or tabs, down to the end of the text
        block,      ///< by commas, semicolons or tabs, on a page with other tables
        bars,       ///< by bars, as in Markdown
        grid,       ///< by the borders of a grid, as in reStructuredText
        columns,    ///< by their place, as in simple tables of reStructuredText
        html,       ///< by tags
        list,       ///< by bullets, in a list-table of reStructuredText
        csv,        ///< by commas or other characters, in a csv-table of reStructuredText
        log,        ///< by names, in the lines of a log: "loss: 4.2, tps: 5,000"
    } kind = Kind::separated;
    std::size_t begin = 0;  ///< first byte of the table; its title stands before it
    std::size_t end = 0;    ///< the table ends here or above
    // of a directive
    std::string_view header = {};  ///< what the option says that names the columns
    std::string_view rows = {};
    std::size_t header_rows = 0;
    char separator = ',';  ///< of the rows, not of the option
};

/// The first table from `from` on. Sentences may stand before it. Without any other table, the text is one with commas.
Layout find_table(std::string_view text, std::size_t from);
/// The next table from `from` on, behind another one: with bars or rules, or a block with commas.
std::optional<Layout> find_next_table(std::string_view text, std::size_t from);

/// The first heading that begins in [from, to), otherwise `to`: a line that begins with '#', is underlined with --- or
/// ===, or is all bold.
std::size_t find_heading(std::string_view text, std::size_t from, std::size_t to);

}  // namespace scalescope::formats::tables
