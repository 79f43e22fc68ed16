// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/tables/layout.hpp"
#include "core/formats/tables/lines.hpp"
#include "core/formats/tables/store.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A reader for each way to write a table, and what they share.
namespace scalescope::formats::tables {

/// Reads the table that stands at `layout` in the text of `store`, with the text from `above` on as its title. Returns
/// what is wrong with it.
Problems read_table(Store& store, const Layout& layout, std::size_t above, const Watch& watch);

/// What the readers of a table share: where its cells go, within which bounds, and what is wrong with them.
class Reading {
public:
    Reading(Store& to, const Layout& where, const Watch& watch) : store(to), layout(where), watch_(watch) {}

    Store& store;
    const Layout& layout;

    /// Whether reading has stopped.
    bool is_broken() const { return broken_; }
    /// Call before each row. Stops and returns true if the user has cancelled.
    bool is_given_up(std::size_t at);
    /// Whether the table may have more than `cells` cells. If not, reading stops.
    bool has_room(std::size_t cells, std::size_t offset);
    /// Reports a problem. Rows are still read, so that all problems are found.
    void error(std::size_t offset, std::string what, std::string remedy);
    /// Reports a problem and stops.
    void stop(std::size_t offset, std::string what, std::string remedy);
    void stop_at_return(std::size_t offset);

    /// Appends a cell of a file, without the apostrophe that csv_cell() puts before a text that looks like a formula.
    void add(Row& row, Cell cell) const;
    /// The cells so far are the names of the columns.
    void end_header();
    /// Joins the rows of the header, and cuts or fills the others to its width.
    void take(TableRows table);
    Problems take_problems() { return problems_.take(); }

private:
    const Watch& watch_;
    ProblemList problems_;
    std::size_t rows_ = 0;
    bool broken_ = false;
};

/// Cells between commas, semicolons or tabs.
void read_separated(Reading& reading);
/// Appends such rows of a part of the text, in which no line is a comment.
void read_separated_rows(Reading& reading, std::string_view part, char separator, std::vector<Row>& rows);

/// Cells between bars, as in Markdown.
void read_bars(Reading& reading);

/// The first lines that state numbers under the same names, with at most a few other lines in between. A single line
/// qualifies if it states at least three numbers.
std::optional<Layout> find_log(std::string_view text, std::size_t from);
/// Whether the line states several numbers under names, which a table header does not do.
bool is_line_of_log(std::string_view line);
/// Reads a log as a table with one column per name and one row per line.
void read_log(Reading& reading);

/// Reads a table of reStructuredText, whose cells are found by their place below the rules: a grid ("+---+---+"), or a
/// simple table ("===  ==="). Lines of the header are joined, and so are those of a row of a grid. In other grids, as
/// databases print them, each line is a row.
TableRows read_rest(Store& store, const Layout& layout);

/// The table of the directive that begins in the line, if it has rows. Its title belongs to the text above. Directives
/// are ".. list-table:: Title" of reStructuredText and "```{list-table} Title" of MyST, and the same with csv-table.
/// Options for the width, the style and files are ignored.
std::optional<Layout> find_directive(std::string_view text, const TextLine& line);
/// Reads a list whose items are lists of cells.
TableRows read_list_directive(Store& store, const Layout& layout);
/// Reads rows of a directive that are separated by commas or what it says.
TableRows read_csv_directive(Reading& reading);

struct HtmlTable : TableRows {
    std::size_t end = 0;  ///< one past "</table>", or where a table inside this one begins

    /// Whether it holds data. Pages also use tables to place things.
    bool has_data() const { return rows.size() > std::max<std::size_t>(headers, 1) && rows.back().size() > 1; }
};
/// Reads the table that begins with the "<table" at `begin`. Only knows what tables of figures are made of: rows, and
/// cells that span others. Rows of the header are those at the top that are in its head or have header cells only.
/// Appends the texts of the cells to `texts`.
HtmlTable read_html(std::string_view text, std::size_t begin, std::string& texts);

}  // namespace scalescope::formats::tables
