// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace scalescope::formats {

/// The position of the table in a text, and how its cells are separated.
struct TableLayout {
    enum class Kind {
        separated,  ///< by commas, semicolons or tabs
        bars,       ///< by bars, as in Markdown and in grids of reStructuredText
        columns,    ///< by their place, as in simple tables of reStructuredText
    } kind = Kind::separated;
    std::size_t header = 0;           ///< first byte of the header's line; the title of the table stands before it
    bool bar_in_front = false;        ///< of bars: every row begins with one
    std::vector<std::size_t> starts;  ///< of columns: where each begins in its line
};

/// The first table from `from` on. Sentences may stand before it.
TableLayout find_table(std::string_view text, std::size_t from);

/// ',', ';' or a tab, whatever separates the cells of a header outside of quotes; ',' if there is none.
char separator_of(std::string_view line);
/// "===  ====": the rule of a simple table.
bool is_column_rule(std::string_view line);

}  // namespace scalescope::formats
