// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/table_columns.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/letters.hpp"
#include "core/base/name_list.hpp"
#include "core/base/sequences.hpp"
#include "core/measure/validate/columns.hpp"
#include "core/words/choices.hpp"
#include "core/words/facts.hpp"
#include "core/words/figure_words.hpp"
#include "core/words/pieces.hpp"

namespace scalescope::measure {

namespace {

/// The figure that a text outside the cells states for the table: "images/sec", "speed in ms/step", otherwise a rate
/// that it spells out: "the average tokens per second on each GPU". Memory that it mentions is rather that of a device.
ColumnReading figure_in(std::string_view text) {
    constexpr std::string_view ends = ".;\n";
    ColumnReading spelled;
    double most = 0;
    while (!text.empty()) {
        const auto sentence = text.substr(0, text.find_first_of(ends));
        text.remove_prefix(std::min(text.size(), sentence.size() + 1));
        constexpr double least = 0.2, least_of_memory = 0.5;
        const ColumnReading read = read_figure(sentence, 0);
        const bool of_memory = read.metric.find("memory") != std::string::npos;
        if (read.explained >= (of_memory ? least_of_memory : least)) return read;
        for (const Piece& piece : pieces_of(sentence))  // "TGS: the mean number of tokens per GPU and second"
            if (piece.written.size() == 3 && in_small_letters(piece.written) != piece.written)
                if (ColumnReading short_for = read_figure(piece.written, 1); !short_for.means.empty()) return short_for;
        // "we compare the training speed (samples/s) with …"
        for (std::size_t at = sentence.find('('); at != std::string_view::npos; at = sentence.find('(', at + 1)) {
            const auto inside = sentence.substr(at + 1, sentence.find(')', at) - at - 1);
            if (ColumnReading unit = read_figure(inside, 0.9); !unit.means.empty()) return unit;
        }
        const double letters = read.explained * static_cast<double>(sentence.size());
        if (read.metric == "throughput" && letters > most) spelled = read, most = letters;
    }
    return spelled;
}

/// Whether a given name can denote the numbers of the table: "values", "Throughput", "train time".
bool is_of_figures(const GivenColumn& given) {
    const std::string means = given_means(given);
    return means == "value" || means == "figure" || !read_figure(given.second).means.empty();
}
bool is_time(std::string_view unit) {
    return read_figure(unit).means.empty() && !unit_of_kind("time", pieces_of(unit)).empty();
}

}  // namespace

TableColumns::TableColumns(const Grid& grid, std::span<const GivenColumn> given) : grid_(grid), given_(given) {
    for (const GivenColumn& g : given_)
        if (!is_header(g.first) && is_of_figures(g) && of_table_.means.empty()) of_table_ = figure_in(g.second);
    for (const std::string& text : grid_.around)
        if (of_table_.means.empty()) of_table_ = figure_in(text);
    for (std::size_t c = 0; c < grid_.header.size(); ++c) compounds_.push_back(compound_of(c));
    for (std::size_t c = 0; c < grid_.header.size(); ++c)
        columns_.push_back(compounds_[c].empty() ? meaning_of(c) : ColumnReading{});
    drop_repeated();
    name_figures();
}

std::string given_means(const GivenColumn& given) {
    const bool numbers = read_number(given.second).has_value();
    const std::string means = read_column(given.first, numbers).means;
    return means.empty() ? read_column(given.first, !numbers).means : means;
}

bool is_count(std::string_view means) {
    return std::any_of(count_columns.begin(), count_columns.end(),
                       [&](const CountColumn& column) { return column.name == means; });
}

std::vector<std::string_view> numbers_of(std::string_view cell) {
    std::vector<std::string_view> numbers;
    for (std::size_t from = 0; from <= cell.size();) {
        const std::size_t to = std::min(cell.find_first_of("xX*/\xc3", from), cell.size());
        numbers.push_back(trimmed(cell.substr(from, to - from)));
        if (!whole_number(numbers.back(), limits::batch)) return {};
        from = to + (cell.substr(to).starts_with("\u00d7") ? 2 : 1);
    }
    return numbers;
}

std::vector<std::string_view> parts_of(std::string_view cell) {
    constexpr std::string_view between = " / ";
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = cell.find(between);
        parts.push_back(trimmed(cell.substr(0, end)));
        if (end == std::string_view::npos) return parts;
        cell.remove_prefix(end + between.size());
    }
}

ColumnReading figure_with(std::string_view unit) {
    ColumnReading read = read_figure(unit);
    if (!read.means.empty()) return read;
    const std::string bytes = unit_of_kind("bytes", pieces_of(unit));
    return bytes.empty() ? ColumnReading{} : ColumnReading{.means = "figure", .metric = "peak_memory", .unit = bytes};
}

bool TableColumns::is_header(std::string_view name) const {
    return std::find(grid_.header.begin(), grid_.header.end(), name) != grid_.header.end();
}

bool TableColumns::has(std::string_view means) const {
    return std::any_of(columns_.begin(), columns_.end(), [&](const ColumnReading& c) { return c.means == means; }) ||
           (!means.empty() && means != "value" && std::any_of(given_.begin(), given_.end(), [&](const GivenColumn& g) {
               return !is_header(g.first) && given_means(g) == means;
           }));
}

/// The meaning of column `c`: as given, otherwise derived from its header and cells.
ColumnReading TableColumns::meaning_of(std::size_t c) const {
    const std::string_view header = grid_.header[c];
    for (const auto& [name, means] : given_)
        if (header == name) {
            ColumnReading reading = read_column(means, true);
            if (reading.means.empty()) reading = read_column(means, false);
            return reading;
        }
    const Grid::Counts cells = grid_.counts_of(c);
    if (trimmed(header) == "#" && cells.are_numbers() && !are_numbered(c)) return read_column("workers", true);
    ColumnReading reading = read_column(header, cells.are_numbers());
    if (const std::size_t on = header.find(" on "); reading.means.empty() && on != header.npos)  // "epochs on COCO"
        reading = read_column(header.substr(0, on), cells.are_numbers());
    // "1080Ti" and "2080" beside "Titan V" are names, and so is "3090".
    if (reading.means == "workers" && read_column(header, false).means == "device" &&
        (cells.numbers < cells.filled || are_model_numbers(c)))
        return read_column(header, false);
    const bool says_percent = cells.unit.starts_with('%') || header.find('%') != std::string_view::npos;
    // "GPU" with "97 %" of its time, or with the minutes that one takes
    if (is_count(reading.means) && reading.means != "steps" && (says_percent || is_time(cells.unit))) return {};
    // Cells such as "7B" or "350M" in a column of models are numbers of parameters.
    const std::string unit = in_small_letters(cells.unit);
    if (cells.numbers == cells.filled && (unit.starts_with('b') || unit.starts_with('m')) &&
        read_column(header, false).means == "network")
        return read_column("params", true);
    const bool is_sure = !cells.are_numbers() && reading.explained >= 1;
    if (reading.means == "precision" && !is_sure && !any_precision(c)) return {};  // an accuracy, "memory format"
    const auto last = pieces_of(header).empty() ? Piece{} : pieces_of(header).back();
    if (cells.are_numbers() && is_among(reading.means, "recompute sharding") && is_among(last.text, "s sec ms"))
        return {.means = "figure", .metric = "step", .unit = unit_of_kind("time", {last})};  // "full recompute s"
    if (!cells.are_numbers() || reading.means == "ignored") return reading;
    const bool in_billions = unit == "b" && is_count(reading.means);  // "N" with "1.1B"
    if (in_billions && reading.means.find("batch") == std::string::npos) return read_column("params", true);
    if (reading.means == "seq" && pieces_of(header).size() == 1 && are_all_small(c)) return read_column("cp", true);
    // "batch size 10" is not a column of batches, "time for 300B tokens (days)" not one of tokens.
    const auto facts = read_facts(header);
    const bool is_fact = holds_only_numbers(reading.means) && find_by(facts, reading.means, &Fact::column);
    constexpr double least = 0.2;
    if (is_fact || (reading.means.empty() && !facts.empty())) return read_figure(header, least);
    if ((reading.means != "figure" || reading.unit.empty()) && !cells.unit.empty()) {  // the unit is in the cells
        ColumnReading with_unit = read_figure(std::string(header) + " " + cells.unit);
        if (with_unit.metric == "throughput" && is_time(cells.unit)) with_unit = {};  // "4 h" for "1000 images"
        if (with_unit.means.empty()) with_unit = read_figure(cells.unit);
        if (!with_unit.means.empty()) reading = std::move(with_unit);
    }
    if (reading.means == "figure" && reading.unit.empty() && !cells.unit.empty())  // "Throughput" of "139 s"
        if (const std::string time = unit_of_kind("time", pieces_of(cells.unit)); !time.empty())
            reading.metric = "step", reading.unit = time;
    if (reading.means.empty()) reading = read_column(header, false);  // precisions may be "16" and "32"
    if (reading.means == "precision" && !any_precision(c)) return {};
    return reading;
}

/// Whether all cells are numbers as they name graphics cards: 780, 1660, 3090.
bool TableColumns::are_model_numbers(std::size_t c) const {
    return std::all_of(grid_.rows.begin(), grid_.rows.end(), [&](const auto& row) {
        const auto number = read_number(row[c]);
        return says_nothing(row[c]) || (number && names_a_card(number->value));
    });
}

/// Whether the cells number the rows.
bool TableColumns::are_numbered(std::size_t c) const {
    for (std::size_t r = 1; r < grid_.rows.size(); ++r) {
        const auto above = read_number(grid_.rows[r - 1][c]), number = read_number(grid_.rows[r][c]);
        if (!above || !number || number->value != above->value + 1) return false;
    }
    return true;
}

/// Whether no number is larger than a degree of parallelism.
bool TableColumns::are_all_small(std::size_t c) const {
    constexpr double most = 64;
    return std::all_of(grid_.rows.begin(), grid_.rows.end(), [&](const auto& row) {
        const auto number = read_number(row[c]);
        return !number || number->value <= most;
    });
}

bool TableColumns::any_precision(std::size_t c) const {
    return std::any_of(grid_.rows.begin(), grid_.rows.end(),
                       [&](const auto& row) { return read_precision(row[c]) || read_flag(row[c]); });
}

/// The columns that a compound header names, if its cells hold as many numbers: "batch size x gpus", "TP/PP/DP",
/// "local/global batch".
std::vector<std::string> TableColumns::compound_of(std::size_t c) const {
    std::vector<std::string> columns;
    const auto first = std::find_if(grid_.rows.begin(), grid_.rows.end(), [&](auto& row) { return !row[c].empty(); });
    const std::size_t count = first == grid_.rows.end() ? 0 : numbers_of((*first)[c]).size();
    if (count < 2) return columns;
    std::string_view header = grid_.header[c];
    const auto last_word = header.substr(header.rfind(' ') + 1);
    for (const std::string_view between : {" x ", " \u00d7 ", "\u00d7", "*", "/", "x"}) {
        columns.clear();
        for (std::size_t from = 0; from <= header.size();) {
            const std::size_t to = std::min(header.find(between, from), header.size());
            const std::string part(header.substr(from, to - from));
            std::string means = read_column(part, true).means;
            if (means.empty()) means = read_column(part + " " + std::string(last_word), true).means;
            columns.push_back(means);
            from = to + between.size();
        }
        const bool of_nodes = std::find(columns.begin(), columns.end(), "nodes") != columns.end();
        for (std::string& means : columns)
            if (of_nodes && means == "workers") means = "gpus_per_node";  // "nodes x GPUs"
        if (columns.size() == count && std::all_of(columns.begin(), columns.end(), is_count)) return columns;
    }
    return {};
}

/// If several columns have the same meaning, keeps the one whose name states it most clearly.
void TableColumns::drop_repeated() {
    for (ColumnReading& column : columns_)
        for (const ColumnReading& other : columns_)
            if (&column != &other && column.means == other.means && column.means != "figure" &&
                column.means != "ignored" && column.means != "notes" &&
                (other.explained > column.explained || (other.explained == column.explained && &other < &column)))
                column = {};
}

/// Whether the cells hold several figures with their units.
bool TableColumns::holds_several(std::size_t c) const {
    return std::any_of(grid_.rows.begin(), grid_.rows.end(), [&](const auto& row) {
        const auto parts = parts_of(row[c]);
        return parts.size() > 1 && std::all_of(parts.begin(), parts.end(), [](auto part) {
                   const auto number = read_number(part);
                   return number && !figure_with(number->unit).means.empty();
               });
    });
}

/// Whether the column holds numbers with the unit of the table's figure, or without any.
bool TableColumns::may_hold_figures(std::size_t c) const {
    const Grid::Counts cells = grid_.counts_of(c);
    const bool agrees = read_figure(cells.unit).metric == of_table_.metric ||
                        (of_table_.unit.find('/') == std::string::npos && is_time(cells.unit));
    return cells.are_numbers() && (agrees || 2 * cells.with_unit <= cells.filled || holds_several(c));
}

/// Numeric columns whose meaning is unknown contain the table's figure, unless another column names a figure with a
/// unit. If nothing says what that is, they do so only if they are several and no column holds figures, as in a
/// table with a column for each network.
void TableColumns::name_figures() {
    if (std::any_of(columns_.begin(), columns_.end(),
                    [](const ColumnReading& c) { return c.means == "figure" && !c.unit.empty(); }))
        return;
    for (std::size_t c = 0; c < columns_.size(); ++c)  // of columns for networks
        if (of_table_.means.empty() && columns_[c].means == "unit" && !has("value") && !grid_.rows.empty())
            of_table_ = figure_in(grid_.rows[0][c]);
    if (of_table_.means.empty()) {
        constexpr std::ptrdiff_t several = 3;
        std::ptrdiff_t unknown = 0;
        for (std::size_t c = 0; c < columns_.size(); ++c)
            unknown += columns_[c].means.empty() && grid_.counts_of(c).are_numbers();
        if (has("value") || has("figure") || !has("device") || unknown < several) return;
        of_table_ = {.means = "figure", .metric = "throughput", .unit = {}};
    }
    for (std::size_t c = 0; c < columns_.size(); ++c)
        if (columns_[c].means == "figure" || (columns_[c].means.empty() && may_hold_figures(c)))
            columns_[c] = of_table_;
}

}  // namespace scalescope::measure
