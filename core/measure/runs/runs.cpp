// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/runs/runs.hpp"

#include <cmath>
#include <map>

#include "core/base/sequences.hpp"

namespace scalescope::measure {

const RunColumn* Runs::find(std::string_view name) const { return find_by(columns, name, &RunColumn::name); }

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

std::vector<std::string_view> cells_of(const Runs& runs, const std::vector<std::string>& factors, std::size_t row) {
    std::vector<std::string_view> cells;
    for (const auto& factor : factors)
        if (const RunColumn* column = runs.find(factor)) cells.push_back(column->words[row]);
    return cells;
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

std::optional<RepeatNoise> repeat_noise(const Runs& runs, const std::vector<std::string>& factors) {
    std::map<std::vector<std::string_view>, std::vector<double>> groups;
    for (std::size_t row = 0; row < runs.size(); ++row) {
        groups[cells_of(runs, factors, row)].push_back(std::log(runs.seconds[row]));
    }
    RepeatNoise noise;
    double squares = 0.0;
    for (const auto& [cells, logs] : groups) {
        if (logs.size() < 2) continue;
        ++noise.groups;
        noise.repeats += logs.size();
        double mean = 0.0;
        for (const double l : logs) mean += l / static_cast<double>(logs.size());
        for (const double l : logs) squares += (l - mean) * (l - mean);
    }
    if (noise.groups == 0) return std::nullopt;
    noise.deviation = std::sqrt(squares / static_cast<double>(noise.repeats - noise.groups));
    return noise;
}

}  // namespace scalescope::measure
