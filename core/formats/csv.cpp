// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/csv.hpp"

#include "core/base/decimal.hpp"
#include "core/base/letters.hpp"
#include "core/base/limits.hpp"
#include "core/formats/csv_store.hpp"
#include "core/formats/csv_write.hpp"
#include "core/formats/directive_table.hpp"
#include "core/formats/html_table.hpp"
#include "core/formats/markdown_text.hpp"
#include "core/formats/rest_table.hpp"
#include "core/formats/table_layout.hpp"
#include "core/formats/text_file.hpp"

#include <algorithm>
#include <charconv>
#include <type_traits>
#include <unordered_set>
#include <utility>

namespace scalescope::formats {

std::vector<detail::CsvCell> detail::CsvStore::joined(std::span<const std::vector<CsvCell>> rows) {
    std::vector<CsvCell> all;
    for (const auto& row : rows)
        if (row.size() > all.size()) all.insert(all.end(), row.begin() + std::ptrdiff_t(all.size()), row.end());
    for (std::size_t c = 0; c < all.size(); ++c) {
        const CsvCell* last = nullptr;
        for (const auto& row : rows) {
            if (c >= row.size() || row[c].slice.length == 0 || (last && last->offset == row[c].offset)) continue;
            if (!std::exchange(last, &row[c])) {
                all[c] = row[c];
                continue;
            }
            JsonSlice& slice = all[c].slice;
            if (!all[c].unescaped || slice.begin + slice.length != unescaped.size()) {
                const std::string words(view(all[c]));
                slice.begin = static_cast<std::uint32_t>(unescaped.size());
                unescaped += words;
                all[c].unescaped = true;
            }
            unescaped += ' ' + std::string(view(row[c]));
            slice.length = static_cast<std::uint32_t>(unescaped.size()) - slice.begin;
        }
    }
    return all;
}

namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// One pass over the text, row by row.
class CsvParser {
public:
    CsvParser(detail::CsvStore& store, const Watch& watch, std::size_t from, TableLayout layout)
        : store_(store),
          text_(store.text.substr(0, layout.end)),
          watch_(watch),
          at_(layout.begin),
          layout_(std::move(layout)),
          is_markdown_(layout_.kind == TableLayout::Kind::bars),
          bar_in_front_(trimmed(line_at(text_, at_).text).starts_with('|')) {
        store_.title = {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(at_ - from)};
    }

    Problems run() {
        if (layout_.kind == TableLayout::Kind::html)
            take_rows(read_html_table(store_.text, layout_.begin, store_.unescaped));
        else if (layout_.kind == TableLayout::Kind::grid || layout_.kind == TableLayout::Kind::columns)
            take_rows(read_rest_table(store_, layout_));
        else if (layout_.kind == TableLayout::Kind::list)
            take_rows(read_list_table(store_, layout_));
        else if (layout_.kind == TableLayout::Kind::csv)
            take_rows(read_csv_directive());
        else
            read_lines();
        if (!broken_ && store_.columns == 0)
            problems_.add(about_file(store_.file, "The table is empty.",
                                     "Write the names of the columns in its first line, and rows below."));
        return problems_.take();
    }

private:
    void take_rows(detail::TableRows table) {
        store_.end = layout_.end;
        if (broken_ || table.rows.empty()) return;
        store_.cells = store_.joined(std::span(table.rows).first(table.headers));
        check_header();
        std::size_t drawn = 0;  // cells as they were read: all rows of the header, and those beyond its width
        for (std::size_t r = 0; r < table.rows.size() && !broken_; ++r) {
            auto& row = table.rows[r];
            drawn += std::max(row.size(), store_.columns);
            if (!has_room(drawn, row.empty() ? layout_.begin : row.front().offset)) return;
            if (r < table.headers) continue;
            for (std::size_t c = row.size(); c-- > 1;)
                if (row[c].offset == row[c - 1].offset) row[c].slice.length = 0;  // spanned by the cell before
            row.resize(store_.columns, nothing_at(row.empty() ? layout_.begin : row.back().offset));
            store_.cells.insert(store_.cells.end(), row.begin(), row.end());
        }
    }

    detail::TableRows read_csv_directive() {
        const Directive& directive = layout_.directive;
        detail::TableRows table;
        std::size_t cells = 0;
        const auto read = [&](std::size_t begin, std::size_t end, char separator) {
            text_ = store_.text.substr(0, end), at_ = begin, separator_ = separator;
            while (!broken_ && has_room(cells, at_) && skip_to_row()) {
                if (table.rows.size() % 1024 == 0 && given_up()) return;
                read_row();
                for (auto& cell : store_.cells) drop_markup(store_, cell);
                table.rows.emplace_back(store_.cells.begin(), store_.cells.end());
                cells += store_.cells.size();
                store_.cells.clear();
            }
        };
        read(directive.header, directive.header_end, ',');
        const std::size_t headers = table.rows.size() + std::min(directive.header_rows, limits::csv_cells);
        read(directive.rows, directive.rows_end, directive.separator);
        table.headers = std::clamp<std::size_t>(headers, 1, std::max<std::size_t>(table.rows.size(), 1));
        return table;
    }

    void read_lines() {
        for (std::size_t rows = 0; !broken_ && skip_to_row(); ++rows) {
            if (rows % 1024 == 0 && given_up()) break;
            if (rows == 0) separator_ = is_markdown_ ? '|' : separator_of(line_at(text_, at_).text);
            const std::size_t first = store_.cells.size();
            const std::size_t begin = at_;
            read_row();
            if (broken_) break;
            if (rows == 0)
                check_header();
            else if (is_markdown_ && is_rule(first))
                store_.cells.resize(first);
            else if (is_markdown_)  // rows may be wider or narrower than the header (GitHub Flavored Markdown, 4.10)
                store_.cells.resize(first + store_.columns, nothing_at(at_));
            else if (store_.cells.size() - first == store_.columns)
                complete_row_ = first;
            else if (!fill_merged(first, begin))
                drop_ragged(first, begin);
            store_.end = at_;
        }
    }

    static detail::CsvCell nothing_at(std::size_t at) {
        const auto offset = static_cast<std::uint32_t>(at);
        return {{offset, 0}, offset, false};
    }
    bool is_row_of_bars() const {
        const auto line = trimmed(line_at(text_, at_).text);
        const bool follows_row = at_ == store_.end || !bar_in_front_;
        return line.starts_with('|') || (follows_row && line.find('|') != line.npos);
    }
    /// The line of dashes below the header; rows without any text separate parts of a table.
    bool is_rule(std::size_t first) const {
        return std::all_of(store_.cells.begin() + static_cast<std::ptrdiff_t>(first), store_.cells.end(),
                           [&](const detail::CsvCell& cell) {
                               const auto text = store_.view(cell);
                               return text.find_first_not_of("-:= ") == text.npos &&
                                      text.find_first_of("-=") != text.npos;
                           });
    }
    bool ends_line(std::size_t i) const {
        return i >= text_.size() || text_[i] == '\n' ||
               (text_[i] == '\r' && (i + 1 == text_.size() || text_[i + 1] == '\n'));
    }
    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || (text_[at_] == '\t' && separator_ != '\t'))) ++at_;
    }
    void skip_line_end() {
        if (at_ < text_.size() && text_[at_] == '\r') ++at_;
        if (at_ < text_.size() && text_[at_] == '\n') ++at_;
    }
    /// To the first byte of the next row; false if there is none.
    bool skip_to_row() {
        while (at_ < text_.size()) {
            const std::size_t begin = at_;
            skip_blanks();
            const bool has_comments = layout_.kind != TableLayout::Kind::csv;
            if (at_ < text_.size() &&
                (is_markdown_ ? !is_row_of_bars() && !ends_line(at_) : has_comments && text_[at_] == '#')) {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
            } else if (!ends_line(at_)) {
                at_ = begin;
                return true;
            }
            skip_line_end();
        }
        return false;
    }

    void read_row() {
        skip_blanks();
        if (is_markdown_ && text_[at_] == '|') ++at_;  // the bar in front
        for (;;) {
            skip_blanks();
            read_cell();
            if (broken_) return;
            if (ends_line(at_)) break;
            ++at_;  // the separator
            const std::size_t after = text_.find_first_not_of(" \t", at_);
            if (is_markdown_ && ends_line(std::min(after, text_.size()))) {
                at_ = std::min(after, text_.size());
                break;
            }
        }
        skip_line_end();
    }

    bool has_room(std::size_t cells, std::size_t offset) {
        if (cells < limits::csv_cells) return true;
        stop(offset, "The table has more than " + std::to_string(limits::csv_cells) + " cells.",
             "Choose a smaller file.");
        return false;
    }

    void read_cell() {
        if (!has_room(store_.cells.size(), at_)) return;
        detail::CsvCell cell;
        cell.offset = static_cast<std::uint32_t>(at_);
        if (at_ < text_.size() && text_[at_] == '"' && !is_markdown_)
            read_quoted(cell);
        else
            read_plain(cell);
        // The apostrophe that csv_cell put in front of what reads as a formula.
        if (const auto text = store_.view(cell); text.starts_with('\'') && reads_as_formula(text)) {
            ++cell.slice.begin;
            --cell.slice.length;
        }
        store_.cells.push_back(cell);
    }

    void read_plain(detail::CsvCell& cell) {
        const std::size_t begin = at_;
        while (!ends_line(at_) && text_[at_] != separator_) {
            if (text_[at_] == '\r') {
                stop(at_, "A carriage return stands inside a line.", "End lines with LF or CR LF.");
                return;
            }
            at_ += is_markdown_ && text_.substr(at_, 2) == "\\|" ? 2 : 1;
        }
        std::size_t end = at_;
        while (end > begin && (text_[end - 1] == ' ' || text_[end - 1] == '\t')) --end;
        cell.slice = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
        if (is_markdown_) read_markdown(cell);
    }

    void read_markdown(detail::CsvCell& cell) {
        if (!has_markup(store_.view(cell))) return;
        const std::size_t kept = store_.unescaped.size();
        append_markdown_text(store_.view(cell), store_.unescaped);
        cell.unescaped = true;
        cell.slice = {static_cast<std::uint32_t>(kept), static_cast<std::uint32_t>(store_.unescaped.size() - kept)};
    }

    void read_quoted(detail::CsvCell& cell) {
        const std::size_t opening = at_++;
        const std::size_t begin = at_;
        const std::size_t kept = store_.unescaped.size();
        for (;; ++at_) {
            if (at_ >= text_.size()) {
                stop(opening, "This quote is never closed.", "Write a second \" where the cell ends.");
                return;
            }
            if (text_[at_] != '"') continue;
            if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
            // Written twice: one quote that is part of the text.
            const std::size_t from = cell.unescaped ? copied_ : begin;
            store_.unescaped.append(text_.substr(from, at_ + 1 - from));
            cell.unescaped = true;
            copied_ = at_ + 2;
            ++at_;
        }
        if (cell.unescaped) {
            store_.unescaped.append(text_.substr(copied_, at_ - copied_));
            cell.slice = {static_cast<std::uint32_t>(kept), static_cast<std::uint32_t>(store_.unescaped.size() - kept)};
        } else {
            cell.slice = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_ - begin)};
        }
        ++at_;
        if (separator_ != ' ') skip_blanks();
        if (!ends_line(at_) && text_[at_] != separator_)
            stop(at_, "Text follows the closing quote of a cell.",
                 "Put all of the cell between the quotes, and write a quote inside twice.");
    }

    void check_header() {
        store_.columns = store_.cells.size();
        if (store_.columns > limits::csv_columns) {
            stop(store_.cells.front().offset,
                 "The table has " + std::to_string(store_.columns) + " columns; at most " +
                     std::to_string(limits::csv_columns) + " are read.",
                 "Remove columns that are not needed.");
            return;
        }
        const bool is_page = layout_.kind != TableLayout::Kind::separated;  // where names may repeat
        std::unordered_set<std::string> known;  // as they are written: a table that was read can be kept
        for (const auto& cell : store_.cells) {
            const auto name = store_.view(cell);
            if (is_page || name.empty() || known.insert(csv_cell(name)).second) continue;
            problems_.error(store_.position(cell.offset), {}, "There are two columns " + quoted(name) + ".",
                            "Give each column a name of its own.");
        }
    }

    enum class CellKind { nothing, number, words };
    CellKind kind_of(const detail::CsvCell& cell) const {
        for (const char c : store_.view(cell)) {
            if (c >= '0' && c <= '9') return CellKind::number;
            if (small_letter(c) >= 'a' && small_letter(c) <= 'z') return CellKind::words;
        }
        return CellKind::nothing;
    }
    /// Copied from a page, rows lack cells that are merged with those above. Empty cells take their place where numbers
    /// and words then stand below numbers and words of the last complete row; if in doubt, at the beginning.
    bool fill_merged(std::size_t first, std::size_t begin) {
        const std::size_t width = store_.cells.size() - first;
        if (separator_ != '\t' || complete_row_ == 0 || width > store_.columns || is_prose(line_at(text_, begin).text))
            return false;
        const std::size_t missing = store_.columns - width;
        const auto fits = [&](std::size_t cell, std::size_t column) {
            const CellKind kind = kind_of(store_.cells[first + cell]);
            return kind == CellKind::nothing || kind == kind_of(store_.cells[complete_row_ + column]) ? 1 : 0;
        };
        std::size_t gap = 0;
        int gain = 0, best = 0;  // cells that fit because they stand before the gap
        for (std::size_t cell = 0; cell < width; ++cell) {
            gain += fits(cell, cell) - fits(cell, cell + missing);
            if (gain > best) best = gain, gap = cell + 1;
        }
        store_.cells.insert(store_.cells.begin() + static_cast<std::ptrdiff_t>(first + gap), missing,
                            nothing_at(begin));
        return true;
    }

    void drop_ragged(std::size_t first, std::size_t begin) {
        const std::size_t width = store_.cells.size() - first;
        const bool wide = width > store_.columns;
        const std::size_t offset = wide ? store_.cells[first + store_.columns].offset : begin;
        problems_.error(store_.position(offset), {},
                        "This row has " + std::to_string(width) + (width == 1 ? " cell" : " cells") +
                            "; the header has " + std::to_string(store_.columns) + ".",
                        wide ? "Remove what is too much, or put a cell that contains a separator in quotes."
                             : "Add the cells that are missing, empty ones too.");
        store_.cells.resize(first);
        if (problems_.errors() > limits::problems) broken_ = true;
    }

    bool given_up() {
        watch_.progress(static_cast<double>(at_) / static_cast<double>(text_.size()));
        if (!watch_.cancel.cancelled()) return false;
        problems_.add(about_file(store_.file, "Reading the file was given up.", "Open it again."));
        broken_ = true;
        return true;
    }

    void stop(std::size_t offset, std::string what, std::string remedy) {
        problems_.error(store_.position(offset), {}, std::move(what), std::move(remedy));
        broken_ = true;
    }

    detail::CsvStore& store_;
    std::string_view text_;
    const Watch& watch_;
    ProblemList problems_;
    std::size_t at_ = 0;
    std::size_t copied_ = 0;
    std::size_t complete_row_ = 0;  ///< first cell of the last row with all cells
    const TableLayout layout_;
    const bool is_markdown_, bar_in_front_;
    char separator_ = ',';
    bool broken_ = false;
};

/// "a whole number from 1 to 5", as far as there are bounds.
template <class T>
std::string wanted_in_csv(std::string text, T low, T high, T least, T most) {
    const auto shown_number = [](T value) {
        if constexpr (std::is_integral_v<T>)
            return std::to_string(value);
        else
            return shortest_decimal(value);
    };
    if (low > least && high < most) return text + " from " + shown_number(low) + " to " + shown_number(high);
    if (low > least) return text + " of at least " + shown_number(low);
    if (high < most) return text + " of at most " + shown_number(high);
    return text;
}

}  // namespace

namespace {

/// The text between two tables belongs to the first one down to a heading, and without a heading to the second one.
std::size_t begin_of_title(const detail::CsvStore& above, const std::optional<TableLayout>& table) {
    if (!table) return above.text.size();
    const std::size_t heading = find_heading(above.text, above.end, table->begin);
    return heading < table->begin ? heading : above.end;
}

}  // namespace

const std::string& CsvTable::file() const { return store_->file; }
std::size_t CsvTable::rows() const { return store_->cells.size() / store_->columns - 1; }
std::size_t CsvTable::columns() const { return store_->columns; }
std::string_view CsvTable::name(std::size_t column) const { return store_->view(store_->at(0, column)); }

std::string_view CsvTable::title() const {
    const auto text = store_->LocatedText::view(store_->title, false);
    return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

std::string_view CsvTable::text_below() const {
    const auto next = find_next_table(store_->text, store_->end);
    return store_->text.substr(store_->end, begin_of_title(*store_, next) - store_->end);
}

std::vector<std::string_view> CsvTable::names() const {
    std::vector<std::string_view> all;
    for (std::size_t c = 0; c < columns(); ++c) all.push_back(name(c));
    return all;
}

std::optional<std::size_t> CsvTable::column(std::string_view wanted) const {
    for (std::size_t c = 0; c < columns(); ++c)
        if (name(c) == wanted) return c;
    return std::nullopt;
}

std::string_view CsvTable::cell(std::size_t row, std::size_t column) const {
    return store_->view(store_->at(row + 1, column));
}

SourcePosition CsvTable::at(std::size_t row, std::size_t column) const {
    return store_->position(store_->at(row + 1, column).offset);
}

SourcePosition CsvTable::name_at(std::size_t column) const { return store_->position(store_->at(0, column).offset); }

namespace {

/// Room for as many cells as there can be, so that growing never copies them.
void reserve_cells(detail::CsvStore& store) {
    std::size_t cells = 1;
    for (const char c : store.text) cells += c == ',' || c == ';' || c == '\t' || c == '|' || c == '\n';
    store.cells.reserve(std::min(cells, limits::csv_cells));
}

/// `given` is a view, or a string to keep.
template <class Text>
Result<CsvTable> parse_csv_text(Text&& given, std::string file, const Watch& watch) {
    if (auto problem = too_long(given, file, limits::csv_bytes)) return fail(std::move(*problem));
    auto store = std::make_unique<detail::CsvStore>(std::forward<Text>(given), std::move(file));
    if (const auto bad = detail::first_bad_byte(store->text); bad != detail::no_offset)
        return fail(make_error("The file is not UTF-8 text.", "Save it as UTF-8.", store->position(bad)));
    reserve_cells(*store);
    const std::size_t from = store->text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    Problems problems = CsvParser(*store, watch, from, find_table(store->text, from)).run();
    if (!problems.empty()) return fail(std::move(problems));
    return CsvTable(std::move(store));
}

}  // namespace

std::optional<CsvTable> CsvTable::next() const {
    constexpr std::size_t most_bytes = 1 << 20;  // of a page
    if (store_->text.size() > most_bytes) return std::nullopt;
    auto layout = find_next_table(store_->text, store_->end);
    if (!layout) return std::nullopt;
    auto store = std::make_unique<detail::CsvStore>(store_->text, store_->file);
    store->before = store_;
    if (!CsvParser(*store, {}, begin_of_title(*store_, layout), *layout).run().empty()) return std::nullopt;
    return CsvTable(std::move(store));
}

Result<CsvTable> parse_csv(std::string_view text, std::string file, const Watch& watch) {
    return parse_csv_text(text, std::move(file), watch);
}

Result<CsvTable> parse_kept_csv(std::string text, std::string file, const Watch& watch) {
    return parse_csv_text(std::move(text), std::move(file), watch);
}

std::optional<std::size_t> CsvFields::required(std::string_view name) {
    if (const auto found = table_.column(name)) return found;
    const auto names = table_.names();
    problems_.error(table_.name_at(0), {}, "There is no column " + quoted(name) + ".",
                    did_you_mean(name, names, "Add it to the first line and to every row."));
    return std::nullopt;
}

void CsvFields::error(std::size_t row, std::size_t column, std::string what, std::string remedy) {
    problems_.error(table_.at(row, column), std::string(table_.name(column)), std::move(what), std::move(remedy));
}

bool CsvFields::filled(std::size_t row, std::size_t column) {
    if (!table_.cell(row, column).empty()) return true;
    error(row, column, "This cell is empty.", "Fill it in, or remove the row.");
    return false;
}

std::optional<std::string> CsvFields::text(std::size_t row, std::size_t column) {
    if (!filled(row, column)) return std::nullopt;
    const auto text = table_.cell(row, column);
    if (text.size() <= limits::name_bytes) return std::string(text);
    error(row, column, "This text is longer than " + std::to_string(limits::name_bytes) + " bytes.", "Shorten it.");
    return std::nullopt;
}

std::optional<std::int64_t> CsvFields::integer(std::size_t row, std::size_t column, std::int64_t low,
                                               std::int64_t high) {
    return filled(row, column) ? optional_integer(row, column, low, high) : std::nullopt;
}

std::optional<double> CsvFields::number(std::size_t row, std::size_t column, double low, double high) {
    return filled(row, column) ? optional_number(row, column, low, high) : std::nullopt;
}

std::optional<std::int64_t> CsvFields::optional_integer(std::size_t row, std::size_t column, std::int64_t low,
                                                        std::int64_t high) {
    const auto text = table_.cell(row, column);
    if (text.empty()) return std::nullopt;
    std::int64_t value = 0;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (wrong == std::errc() && end == text.data() + text.size() && value >= low && value <= high) return value;
    error(row, column, quoted(text) + " cannot stand here.",
          "Write " + wanted_in_csv<std::int64_t>("a whole number", low, high, JsonFields::lowest, JsonFields::highest) +
              ".");
    return std::nullopt;
}

std::optional<double> CsvFields::optional_number(std::size_t row, std::size_t column, double low, double high) {
    const auto text = table_.cell(row, column);
    if (text.empty()) return std::nullopt;
    const auto value = parse_decimal(text);
    if (value && *value >= low && *value <= high) return value;
    error(row, column, quoted(text) + " cannot stand here.",
          "Write " + wanted_in_csv<double>("a number", low, high, JsonFields::least, JsonFields::most) + ".");
    return std::nullopt;
}

bool looks_like_csv(std::string_view text) {
    if (text.substr(0, byte_order_mark.size()) == byte_order_mark) text.remove_prefix(byte_order_mark.size());
    const TableLayout layout = find_table(text, 0);
    if (layout.kind != TableLayout::Kind::separated) return true;
    for (std::size_t at = layout.begin; at < text.size();) {
        auto line = text.substr(at, text.find('\n', at) - at);
        at += line.size() + 1;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty() || line.front() == '#') continue;
        return line.size() < 65536 && line.find_first_of(",;\t") != std::string_view::npos &&
               line.find_first_of(std::string_view("{}[]<>:\0", 8)) == std::string_view::npos;
    }
    return false;
}

}  // namespace scalescope::formats
