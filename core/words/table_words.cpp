// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/table_words.hpp"

#include <algorithm>

#include "core/base/decimal.hpp"
#include "core/base/letters.hpp"
#include "core/base/name_list.hpp"
#include "core/words/pieces.hpp"
#include "core/words/vocabulary.hpp"

namespace scalescope {
namespace {

/// Columns that hold words, and those that hold words or numbers; all others hold numbers.
constexpr std::string_view of_words =
    "source framework network device interconnect precision notes metric unit flops_counted memory_counted";
constexpr std::string_view of_both = "ignored shard_group sharding recompute sequence_parallel";
bool may_hold(std::string_view column, bool numbers) {
    return is_among(column, of_both) || is_among(column, of_words) != numbers;
}

constexpr double least_explained = 0.5;

}  // namespace

ColumnReading read_column(std::string_view header, bool numbers) {
    const Vocabulary& words = shipped_vocabulary();
    for (const WordKind::Entry& entry : words.kinds.at("column").entries)
        if (entry.means == header)
            return {.means = entry.means, .metric = {}, .unit = {}, .each_device = false, .explained = 1};
    const auto pieces = pieces_of(header);
    ColumnReading reading;
    const PieceMatcher text(pieces);
    for (const std::string_view device :
         {"pergpu", "perdevice", "perchip", "perworker", "peraccelerator", "percard", "pernpu", "perhpu"})
        reading.each_device = reading.each_device || text.find(device);
    const WordReading figure = numbers ? words.read("metric", pieces) : WordReading{};
    WordReading column = words.read("column", pieces);
    if (column.means.empty() || !may_hold(column.means, numbers)) {  // if several match, use one that holds such cells
        std::erase_if(column.others, [&](const std::string& other) { return !may_hold(other, numbers); });
        column.means = column.others.empty() ? std::string() : column.others.back();
    }
    if (!figure.means.empty() &&
        figure.explained >= std::max(least_explained, column.means.empty() ? 0 : column.explained)) {
        reading.means = "figure";
        const auto space = figure.means.find(' ');
        reading.metric = figure.means.substr(0, space);
        reading.unit = space == std::string::npos ? figure.means : figure.means.substr(space + 1);
        if (space == std::string::npos) reading.metric = "throughput";
        reading.explained = figure.explained;
    } else if (column.explained >= least_explained) {
        reading.means = column.means;
        reading.explained = column.explained;
    }
    return reading;
}

std::optional<CellNumber> read_number(std::string_view cell) {
    if (const auto plain = parse_decimal(trimmed(cell))) return CellNumber{*plain, {}};  // "2.8e14"
    const auto pieces = pieces_of(cell);
    const auto number = std::find_if(pieces.begin(), pieces.end(), [](const Piece& p) { return p.number; });
    if (number == pieces.end() || number != pieces.begin()) return std::nullopt;  // "V100"
    if (cell.substr(0, cell.find_first_of("0123456789")).find('-') != std::string_view::npos) return std::nullopt;
    CellNumber read{.value = number->value, .unit = {}};
    for (auto p = number + 1; p != pieces.end() && !p->number; ++p) {
        const double scale = p->text == "k" ? 1e3 : p->text == "m" && p->written == "M" ? 1e6 : 1;
        if (p == number + 1 && p->glued && scale > 1)
            read.value *= scale;
        else
            read.unit += p->written;
    }
    return read;
}

}  // namespace scalescope
