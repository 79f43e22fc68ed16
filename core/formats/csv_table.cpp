// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/csv_table.hpp"

#include "core/formats/tables/reading.hpp"

namespace scalescope::formats {

namespace {

/// The text between two tables belongs to the first one down to a heading, and without a heading to the second one.
std::size_t begin_of_title(const tables::Store& above, const std::optional<tables::Layout>& table) {
    if (!table) return above.text.size();
    const std::size_t heading = tables::find_heading(above.text, above.end, table->begin);
    return heading < table->begin ? heading : above.end;
}

}  // namespace

const std::string& CsvTable::file() const { return store_->file; }
std::size_t CsvTable::rows() const { return store_->cells.size() / store_->columns - 1; }
std::size_t CsvTable::columns() const { return store_->columns; }
std::string_view CsvTable::name(std::size_t column) const { return store_->view(store_->at(0, column)); }
std::string_view CsvTable::title() const { return store_->title; }

std::string_view CsvTable::text_below() const {
    const auto next = tables::find_next_table(store_->text, store_->end);
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

std::optional<CsvTable> CsvTable::next() const {
    constexpr std::size_t most_bytes = 1 << 20;  // of a page
    if (store_->text.size() > most_bytes) return std::nullopt;
    const auto layout = tables::find_next_table(store_->text, store_->end);
    if (!layout) return std::nullopt;
    auto store = std::make_shared<tables::Store>(store_->text, store_->file);
    store->before = store_;
    if (!read_table(*store, *layout, begin_of_title(*store_, layout), {}).empty()) return std::nullopt;
    return CsvTable(std::move(store));
}

}  // namespace scalescope::formats
