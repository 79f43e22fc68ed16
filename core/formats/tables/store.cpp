// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/tables/store.hpp"

namespace scalescope::formats::tables {

void Store::keep(Cell& cell, std::string_view words) {
    cell.slice = {static_cast<std::uint32_t>(unescaped.size()), static_cast<std::uint32_t>(words.size())};
    cell.unescaped = true;
    unescaped += words;
}

Row Store::joined(std::span<const Row> rows) {
    Row all;
    for (const Row& row : rows)
        if (row.size() > all.size()) all.insert(all.end(), row.begin() + std::ptrdiff_t(all.size()), row.end());
    for (std::size_t c = 0; c < all.size(); ++c) {
        const Cell* last = nullptr;
        std::string words;  // of more than one cell
        for (const Row& row : rows) {
            if (c >= row.size() || row[c].slice.length == 0 || (last && last->offset == row[c].offset)) continue;
            if (!last)
                all[c] = row[c];
            else
                words.append(words.empty() ? view(all[c]) : "").append(" ").append(view(row[c]));
            last = &row[c];
        }
        if (!words.empty()) keep(all[c], words);
    }
    return all;
}

}  // namespace scalescope::formats::tables
