// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/runs/sheet.hpp"

#include <utility>

namespace scalescope::measure {

RunSheet::RunSheet(const formats::CsvTable& table) {
    for (const auto name : table.names()) names_.emplace_back(name);
    cells_.resize(table.rows());
    for (std::size_t row = 0; row < table.rows(); ++row)
        for (std::size_t column = 0; column < table.columns(); ++column)
            cells_[row].emplace_back(table.cell(row, column));
}

void RunSheet::set_cell(std::size_t row, std::size_t column, std::string text) {
    cells_[row][column] = std::move(text);
}

void RunSheet::insert_row(std::size_t row, std::vector<std::string> cells) {
    cells_.insert(cells_.begin() + static_cast<std::ptrdiff_t>(row), std::move(cells));
}

std::vector<std::string> RunSheet::take_row(std::size_t row) {
    auto cells = std::move(cells_[row]);
    cells_.erase(cells_.begin() + static_cast<std::ptrdiff_t>(row));
    return cells;
}

std::string RunSheet::to_csv() const {
    std::string text;
    const auto line = [&text](const std::vector<std::string>& cells) {
        std::string row;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            if (c > 0) row += ',';
            // A blank line is no row, and one that begins with '#' is a comment.
            const bool mistaken = c == 0 && (cells[c].empty() || cells[c].front() == '#');
            row += mistaken ? '"' + cells[c] + '"' : formats::quoted_for_csv(cells[c]);
        }
        text += row + '\n';
    };
    line(names_);
    for (const auto& cells : cells_) line(cells);
    return text;
}

}  // namespace scalescope::measure
