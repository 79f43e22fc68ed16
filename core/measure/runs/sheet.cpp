// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/runs/sheet.hpp"

#include <set>
#include <utility>

#include "core/formats/csv_write.hpp"

namespace scalescope::measure {

RunSheet::RunSheet(const formats::CsvTable& table) {
    std::set<std::string> written;  // Markdown may repeat a name; a table that is kept with commas may not
    for (const auto name : table.names()) {
        std::string own(name);
        for (int n = 2; !own.empty() && !written.insert(formats::csv_cell(own)).second; ++n)
            own = std::string(name) + " " + std::to_string(n);
        names_.push_back(std::move(own));
    }
    std::vector<Cells> rows(table.rows());
    for (std::size_t row = 0; row < table.rows(); ++row)
        for (std::size_t column = 0; column < table.columns(); ++column)
            rows[row].emplace_back(table.cell(row, column));
    append(std::move(rows));
}

RunSheet::Block& RunSheet::own_block(std::size_t index) {
    auto own = std::make_shared<Block>(*blocks_[index]);
    Block& block = *own;
    blocks_[index] = std::move(own);
    return block;
}

void RunSheet::set_cell(std::size_t row, std::size_t column, std::string text) {
    own_block(row / block_rows)[row % block_rows][column] = std::move(text);
}

/// Takes `row` and all behind it away, and gives those that stood in its block or behind.
std::vector<RunSheet::Cells> RunSheet::take_from(std::size_t row) {
    std::vector<Cells> taken;
    for (std::size_t i = row; i < rows_; ++i) taken.push_back((*blocks_[i / block_rows])[i % block_rows]);
    blocks_.resize((row + block_rows - 1) / block_rows);
    if (row % block_rows != 0) own_block(row / block_rows).resize(row % block_rows);
    rows_ = row;
    return taken;
}

void RunSheet::append(std::vector<Cells> rows) {
    for (std::size_t i = 0; i < rows.size();) {
        if (rows_ % block_rows == 0) blocks_.push_back(std::make_shared<Block>());
        Block& block = own_block(blocks_.size() - 1);
        for (; i < rows.size() && block.size() < block_rows; ++i, ++rows_) block.push_back(std::move(rows[i]));
    }
}

std::vector<std::string> RunSheet::take_row(std::size_t row) {
    auto behind = take_from(row);
    auto cells = std::move(behind.front());
    behind.erase(behind.begin());
    append(std::move(behind));
    return cells;
}

bool RunSheet::operator==(const RunSheet& other) const {
    if (names_ != other.names_ || rows_ != other.rows_) return false;
    for (std::size_t i = 0; i < blocks_.size(); ++i)
        if (blocks_[i] != other.blocks_[i] && *blocks_[i] != *other.blocks_[i]) return false;
    return true;
}

std::optional<std::vector<RunSheet::Place>> RunSheet::differences(const RunSheet& other, std::size_t most) const {
    if (names_ != other.names_ || rows_ != other.rows_) return std::nullopt;
    std::vector<Place> places;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        if (blocks_[i] == other.blocks_[i]) continue;
        for (std::size_t r = 0; r < blocks_[i]->size(); ++r)
            for (std::size_t c = 0; c < names_.size(); ++c) {
                if ((*blocks_[i])[r][c] == (*other.blocks_[i])[r][c]) continue;
                if (places.size() == most) return std::nullopt;
                places.push_back({i * block_rows + r, c});
            }
    }
    return places;
}

std::string RunSheet::to_csv() const {
    std::string text = formats::csv_row(names_);
    for (const auto& block : blocks_)
        for (const Cells& cells : *block) text += formats::csv_row(cells);
    return text;
}

}  // namespace scalescope::measure
