// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace scalescope::formats {

/// Where the rows of a directive stand, and what its options say.
struct Directive {
    std::size_t header = 0, header_end = 0;  ///< of the option that names the columns
    std::size_t rows = 0, rows_end = 0;
    std::size_t header_rows = 0;
    char separator = ',';  ///< of the rows, not of the option
};

/// The position of a table in a text, and how its cells are separated.
struct TableLayout {
    enum class Kind {
        separated,  ///< by commas, semicolons or tabs, down to the end of the text
        block,      ///< by commas, semicolons or tabs, on a page with other tables
        bars,       ///< by bars, as in Markdown
        grid,       ///< by the borders of a grid, as in reStructuredText
        columns,    ///< by their place, as in simple tables of reStructuredText
        html,       ///< by tags
        list,       ///< by bullets, in a list-table of reStructuredText
        csv,        ///< by commas or other characters, in a csv-table of reStructuredText
    } kind = Kind::separated;
    std::size_t begin = 0;  ///< first byte of the table; its title stands before it
    std::size_t end = 0;    ///< the table ends here or above
    Directive directive;    ///< of a list or csv
};

/// The first table from `from` on. Sentences may stand before it. Without any other table, the text is one with commas.
TableLayout find_table(std::string_view text, std::size_t from);
/// The next table from `from` on, behind another one: with bars or rules, or a block with commas.
std::optional<TableLayout> find_next_table(std::string_view text, std::size_t from);

/// The first heading that begins in [from, to), otherwise `to`: a line that begins with '#', is underlined with --- or
/// ===, or is all bold.
std::size_t find_heading(std::string_view text, std::size_t from, std::size_t to);

struct TextLine {
    std::size_t begin = 0, next = 0;  ///< offsets of this line and of the one below
    std::string_view text;            ///< without its end
};
TextLine line_at(std::string_view text, std::size_t begin);

/// ',', ';' or a tab, whatever separates the cells of a header outside of quotes; ',' if there is none.
char separator_of(std::string_view line);
/// "===  ====": the rule of a simple table.
bool is_column_rule(std::string_view line);
/// A sentence or a heading: five words or more, and few separators among them.
bool is_prose(std::string_view line);

}  // namespace scalescope::formats
