// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/csv.hpp"
#include "support_library.hpp"

/// Tables and what is wrong with them as text.
namespace support {

using scalescope::formats::parse_csv;

/// The first problem; empty if there is none.
inline std::string said(std::string_view text) {
    const auto table = parse_csv(text, "f.csv");
    return table ? std::string() : to_text(table.error().front());
}

/// Title, header and rows: "title; a; b / 1; 2".
inline std::string shown(const scalescope::formats::CsvTable& table) {
    std::string all(table.title());
    for (const auto name : table.names()) all.append("; ").append(name);
    for (std::size_t r = 0; r < table.rows(); ++r)
        for (std::size_t c = 0; c < table.columns(); ++c) all.append(c == 0 ? " / " : "; ").append(table.cell(r, c));
    return all;
}

inline std::string read(const std::string& text) {
    const auto table = parse_csv(text, "t.md");
    return table ? shown(*table) : to_text(table.error().front());
}

}  // namespace support
