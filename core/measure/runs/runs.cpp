// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/runs/runs.hpp"

namespace scalescope::measure {

const RunColumn* Runs::find(std::string_view name) const {
    for (const auto& column : columns)
        if (column.name == name) return &column;
    return nullptr;
}

std::vector<std::size_t> Runs::rows(bool held) const {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < size(); ++i)
        if (held_out[i] == held) rows.push_back(i);
    return rows;
}

Problems located(Problems problems, const SourcePosition& header) {
    for (Problem& p : problems) {
        if (!p.at.file.empty() || header.file.empty()) continue;
        if (p.at.line > 0)
            p.at = {header.file, p.at.line, 1};
        else
            p.at = header;
    }
    return problems;
}

Runs rows_of(const Runs& runs, const std::vector<std::size_t>& rows) {
    Runs kept;
    kept.has_split = runs.has_split;
    kept.header = runs.header;
    for (const auto& column : runs.columns) {
        RunColumn& copy = kept.columns.emplace_back();
        copy.name = column.name;
        copy.kind = column.kind;
        copy.first_word = column.first_word;
        for (const std::size_t row : rows) {
            if (!column.numbers.empty()) copy.numbers.push_back(column.numbers[row]);
            copy.words.push_back(column.words[row]);
        }
    }
    for (const std::size_t row : rows) {
        kept.seconds.push_back(runs.seconds[row]);
        kept.held_out.push_back(runs.held_out[row]);
        kept.lines.push_back(runs.lines[row]);
    }
    return kept;
}

}  // namespace scalescope::measure
