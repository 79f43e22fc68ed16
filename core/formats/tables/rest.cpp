// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/base/limits.hpp"
#include "core/formats/tables/reading.hpp"

namespace scalescope::formats::tables {

namespace {

using Block = std::vector<Row>;  // lines between two rules

class RestReader {
public:
    RestReader(Store& store, const Layout& layout)
        : store_(store), layout_(layout), is_grid_(layout.kind == Layout::Kind::grid) {}

    TableRows run() {
        find_columns();
        read_blocks();
        TableRows table;
        if (blocks_.empty()) return table;
        // Without a rule below it, the header is the first line.
        const std::size_t in_header = std::min(std::max<std::size_t>(header_blocks_, 1), blocks_.size() - 1);
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            Block& block = blocks_[b];
            if (b < in_header)
                table.headers += block.size();
            else if (is_grid_ && blocks_.size() > in_header + 1 && is_one_row(block))
                block = {store_.joined(block)};
            std::move(block.begin(), block.end(), std::back_inserter(table.rows));
        }
        return table;
    }

private:
    bool is_rule(std::string_view line) const {
        if (!is_grid_) return is_column_rule(line);
        line = trimmed(line);
        return line.starts_with('+') || line.find("+--") != line.npos || line.find("--+") != line.npos;
    }
    /// "---  ------": below a line of a simple table, it shows which columns each cell spans.
    static bool is_underline(std::string_view line) {
        return line.find('-') != line.npos && line.find_first_not_of("- \t") == line.npos;
    }
    static bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

    /// Where columns begin, counted in characters. A rule may leave out borders that a cell spans.
    void find_columns() {
        std::set<std::size_t> starts;
        const std::size_t end = is_grid_ ? layout_.end : line_at(store_.text, layout_.begin).next;
        for (TextLine line = above_; line.advance(store_.text, end);) {
            if (!is_rule(line.text)) continue;
            std::size_t character = 0;
            for (std::size_t i = 0; i < line.text.size() && starts.size() < limits::csv_columns + 2; ++i) {
                if (is_grid_ ? line.text[i] == '+' : line.text[i] == '=' && (i == 0 || line.text[i - 1] != '='))
                    starts.insert(character);
                character += !continues_character(line.text[i]);
            }
        }
        starts_.assign(starts.begin(), starts.end());
    }

    void read_blocks() {
        bool closed = true;
        std::size_t cells = 0;
        for (TextLine line = above_; cells <= limits::csv_cells && line.advance(store_.text, layout_.end);) {
            const auto words = trimmed(line.text);
            if (is_rule(line.text)) {
                if (header_blocks_ == 0 && words.find('=') != words.npos) header_blocks_ = blocks_.size();
                closed = true;
            } else if (!words.empty() && !is_underline(words)) {
                const auto below = line_at(store_.text, line.next).text;
                if (std::exchange(closed, false)) blocks_.emplace_back();
                blocks_.back().push_back(cells_of(line, is_underline(below) ? below : line.text));
                cells += blocks_.back().back().size();
            }
        }
    }

    /// Offsets in the line at which the columns begin, and the end of the last one.
    std::vector<std::size_t> places_in(std::string_view line) const {
        std::vector<std::size_t> places;
        if (is_grid_)  // characters may be wider than others
            for (std::size_t i = line.find('|'); i != line.npos; i = line.find('|', i + 1)) places.push_back(i);
        if (is_grid_ && places.size() == starts_.size()) return places;
        places.clear();
        for (std::size_t i = 0, character = 0; i < line.size() && places.size() < starts_.size(); ++i) {
            if (continues_character(line[i])) continue;
            if (character++ == starts_[places.size()]) places.push_back(i);
        }
        places.resize(starts_.size() + !is_grid_, line.size());
        return places;
    }

    /// A cell spans the columns that have no border in front of them.
    Row cells_of(const TextLine& line, std::string_view borders) const {
        const auto places = places_in(line.text), marks = places_in(borders);
        const auto is_border = [&](std::size_t c) {
            return marks[c] >= borders.size() || borders[marks[c] - !is_grid_] == (is_grid_ ? '|' : ' ');
        };
        Row row;
        for (std::size_t c = 0; c + 1 < places.size();) {
            const std::size_t from = std::min(places[c] + is_grid_, line.text.size());
            while (++c + 1 < places.size() && !is_border(c)) {
            }
            const auto words = trimmed(line.text.substr(from, std::max(places[c], from) - from));
            row.resize(c, cell_at(words.empty() ? line.begin + from : store_.offset_of(words), words.size()));
        }
        return row;
    }

    /// Rows of several lines leave some cells of a line empty.
    bool is_one_row(const Block& block) const {
        return std::any_of(block.begin(), block.end(), [&](const Row& line) {
            return std::any_of(line.begin(), line.end(), [](const auto& cell) { return cell.slice.length == 0; });
        });
    }

    Store& store_;
    const Layout& layout_;
    const bool is_grid_;
    const TextLine above_{layout_.begin, layout_.begin, {}};
    std::vector<std::size_t> starts_;  ///< in characters; of a grid, where the last column ends too
    std::vector<Block> blocks_;
    std::size_t header_blocks_ = 0;
};

}  // namespace

TableRows read_rest(Store& store, const Layout& layout) { return RestReader(store, layout).run(); }

}  // namespace scalescope::formats::tables
