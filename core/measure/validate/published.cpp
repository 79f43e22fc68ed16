// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/published.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "core/base/letters.hpp"
#include "core/base/name_list.hpp"
#include "core/base/sequences.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/measure/validate/columns.hpp"
#include "core/measure/validate/grid.hpp"
#include "core/words/choices.hpp"
#include "core/words/facts.hpp"
#include "core/words/figure_words.hpp"
#include "core/words/pieces.hpp"
#include "core/words/table_words.hpp"
#include "core/words/vocabulary.hpp"

namespace scalescope::measure {

namespace {

using formats::CsvTable;

constexpr std::size_t near_texts = 2;  ///< the title and the text below

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

class PublishedReader {
public:
    PublishedReader(const CsvTable& table, std::span<const GivenColumn> given, std::string_view above = {},
                    std::string_view below = {})
        : file_(table.file()),
          name_of_file_(std::filesystem::path(file_).stem().string()),
          head_(table.name_at(0)),
          grid_(grid_of(table, above, below)),
          given_(given) {
        for (const GivenColumn& g : given_)
            if (!is_header(g.first) && is_of_figures(g) && of_table_.means.empty()) of_table_ = figure_in(g.second);
        for (std::size_t i = 0; i < std::min(grid_.around.size(), near_texts); ++i)
            if (of_table_.means.empty()) of_table_ = figure_in(grid_.around[i]);
        for (std::size_t c = 0; c < grid_.header.size(); ++c) compounds_.push_back(compound_of(c));
        for (std::size_t c = 0; c < grid_.header.size(); ++c)
            columns_.push_back(compounds_[c].empty() ? meaning_of(c) : ColumnReading{});
        drop_repeated();
        name_figures();
        for (const GivenColumn& g : given_) selects_.push_back(is_of_some_rows(g.first));
    }

    std::vector<TakenColumn> taken() const {
        std::vector<TakenColumn> taken;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            taken.push_back({std::string(grid_.header[c]), scalescope::meaning_of(columns_[c]), {}});
            for (const auto& row : grid_.rows)
                if (taken.back().example.empty() && !says_nothing(row[c])) taken.back().example = row[c];
        }
        return taken;
    }

    Result<std::vector<PublishedRow>> read() const {
        const bool any_text =
            !grid_.around.empty() || !name_of_file_.empty() || has("") || has("workers");  // "Number of A100s"
        std::string missing;
        for (const std::string_view column : {"network", "device"})
            if (!has(column) && !any_text && !(column == "network" && has("params")))
                missing += (missing.empty() ? "" : " and no ") + std::string(column);
        if (!has("value") && !has("figure"))
            missing += (missing.empty() ? "" : " and no ") + std::string("figure such as tokens/s");
        if (!missing.empty())
            return fail(make_error("The table has no " + missing + ".",
                                   "name the column, --map \"Speed=tokens/s\", or give a value for all rows, --map "
                                   "\"device=H100 SXM\" or --map \"values=tokens/s\"",
                                   head_));
        std::vector<PublishedRow> rows;
        for (std::size_t r = 0; r < grid_.rows.size(); ++r) add_rows(r, rows);
        settle_whose_batch(rows);
        return rows;
    }

private:
    bool is_header(std::string_view name) const {
        return std::find(grid_.header.begin(), grid_.header.end(), name) != grid_.header.end();
    }
    bool has(std::string_view means) const {
        return std::any_of(columns_.begin(), columns_.end(),
                           [&](const ColumnReading& c) { return c.means == means; }) ||
               (!means.empty() && means != "value" &&
                std::any_of(given_.begin(), given_.end(),
                            [&](const GivenColumn& g) { return !is_header(g.first) && given_means(g) == means; }));
    }
    /// Whether a given name can denote the numbers of the table: "values", "Throughput", "train time".
    static bool is_of_figures(const GivenColumn& given) {
        const std::string means = given_means(given);
        return means == "value" || means == "figure" || !read_figure(given.second).means.empty();
    }
    static std::string given_means(const GivenColumn& given) {
        const bool numbers = read_number(given.second).has_value();
        const std::string means = read_column(given.first, numbers).means;
        return means.empty() ? read_column(given.first, !numbers).means : means;
    }
    /// The meaning of column `c`: as given, otherwise derived from its header and cells.
    ColumnReading meaning_of(std::size_t c) const {
        const std::string_view header = grid_.header[c];
        for (const auto& [name, means] : given_)
            if (header == name) {
                ColumnReading reading = read_column(means, true);
                if (reading.means.empty()) reading = read_column(means, false);
                return reading;
            }
        const Grid::Counts cells = grid_.counts_of(c);
        ColumnReading reading = read_column(header, cells.are_numbers());
        // "1080Ti" and "2080" beside "Titan V" are names.
        if (reading.means == "workers" && cells.numbers < cells.filled && read_column(header, false).means == "device")
            return read_column(header, false);
        const bool says_percent = cells.unit.starts_with('%') || header.find('%') != std::string_view::npos;
        const bool is_share = says_percent && is_count(reading.means);  // "GPU" with "97 %" of its time
        if (is_share) return {};
        // Cells such as "7B" or "350M" in a column of models are numbers of parameters.
        const std::string unit = in_small_letters(cells.unit);
        if (cells.are_numbers() && (unit.starts_with('b') || unit.starts_with('m')) &&
            read_column(header, false).means == "network")
            return read_column("params", true);
        if (!cells.are_numbers() || reading.means == "ignored") return reading;
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
        if (reading.means.empty()) reading = read_column(header, false);   // precisions may be "16" and "32"
        if (reading.means == "precision" && !any_precision(c)) return {};  // an accuracy
        return reading;
    }
    static bool is_count(std::string_view means) {
        return std::any_of(count_columns.begin(), count_columns.end(),
                           [&](const CountColumn& column) { return column.name == means; });
    }
    static bool is_time(std::string_view unit) {
        return read_figure(unit).means.empty() && !unit_of_kind("time", pieces_of(unit)).empty();
    }
    bool any_precision(std::size_t c) const {
        return std::any_of(grid_.rows.begin(), grid_.rows.end(),
                           [&](const auto& row) { return read_precision(row[c]) || read_flag(row[c]); });
    }
    /// Splits "32x8" or "8/4/2" into its numbers. Empty if a part is not a whole number.
    static std::vector<std::string_view> numbers_of(std::string_view cell) {
        std::vector<std::string_view> numbers;
        for (std::size_t from = 0; from <= cell.size();) {
            const std::size_t to = std::min(cell.find_first_of("xX*/\xc3", from), cell.size());
            numbers.push_back(trimmed(cell.substr(from, to - from)));
            if (!whole_number(numbers.back(), limits::batch)) return {};
            from = to + (cell.substr(to).starts_with("\u00d7") ? 2 : 1);
        }
        return numbers;
    }
    /// The columns that a compound header names, if its cells hold as many numbers: "batch size x gpus", "TP/PP/DP",
    /// "local/global batch".
    std::vector<std::string> compound_of(std::size_t c) const {
        std::vector<std::string> columns;
        const auto first =
            std::find_if(grid_.rows.begin(), grid_.rows.end(), [&](auto& row) { return !row[c].empty(); });
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
            if (columns.size() == count && std::all_of(columns.begin(), columns.end(), is_count)) return columns;
        }
        return {};
    }
    /// If several columns have the same meaning, keeps the one whose name states it most clearly.
    void drop_repeated() {
        for (ColumnReading& column : columns_)
            for (const ColumnReading& other : columns_)
                if (&column != &other && column.means == other.means && column.means != "figure" &&
                    column.means != "ignored" && column.means != "notes" &&
                    (other.explained > column.explained || (other.explained == column.explained && &other < &column)))
                    column = {};
    }
    /// The figure that a part of a cell states by its unit: "1.0s/it", "13.7G".
    static ColumnReading figure_with(std::string_view unit) {
        ColumnReading read = read_figure(unit);
        if (!read.means.empty()) return read;
        const std::string bytes = unit_of_kind("bytes", pieces_of(unit));
        return bytes.empty() ? ColumnReading{}
                             : ColumnReading{.means = "figure", .metric = "peak_memory", .unit = bytes};
    }
    /// Whether the cells hold several figures with their units.
    bool holds_several(std::size_t c) const {
        return std::any_of(grid_.rows.begin(), grid_.rows.end(), [&](const auto& row) {
            const auto parts = parts_of(row[c]);
            return parts.size() > 1 && std::all_of(parts.begin(), parts.end(), [](auto part) {
                       const auto number = read_number(part);
                       return number && !figure_with(number->unit).means.empty();
                   });
        });
    }
    /// Whether the column holds numbers with the unit of the table's figure, or without any.
    bool may_hold_figures(std::size_t c) const {
        const Grid::Counts cells = grid_.counts_of(c);
        const bool agrees = read_figure(cells.unit).metric == of_table_.metric ||
                            (of_table_.unit.find('/') == std::string::npos && is_time(cells.unit));
        return cells.are_numbers() && (agrees || 2 * cells.with_unit <= cells.filled || holds_several(c));
    }
    /// Numeric columns whose meaning is unknown contain the table's figure, unless another column names a figure with a
    /// unit. If nothing says what that is, they do so only if they are several and no column holds figures, as in a
    /// table with a column for each network.
    void name_figures() {
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

    /// The factor of the numbers in a column: 1,024 for "SeqLen (K)", a million for "Batch (M tokens)".
    static double scale_of(std::string_view header, const CountColumn& column) {
        const auto pieces = pieces_of(header);
        constexpr double k = 1e3, binary_k = 1024, m = 1e6;
        for (const Piece& p : pieces)
            if (p.text == "k") return column.name == "seq" ? binary_k : k;
        const bool large = column.name == "batch_tokens" || column.name == "batch_global" || column.name == "samples";
        return large && std::any_of(pieces.begin(), pieces.end(), [](auto& p) { return p.written == "M"; }) ? m : 1;
    }
    /// "8k" tokens are 8,192; batches of "32k" and "0.5M" are counted so if the number is a power of two.
    static double binary_scale(std::string_view text, const CountColumn& column) {
        const bool is_batch = column.name.find("batch") != std::string_view::npos;
        const auto pieces = pieces_of(text);
        if ((!is_batch && column.name != "seq") || pieces.size() < 2 || !pieces[0].number || !pieces[1].glued) return 1;
        constexpr double k = 1.024;
        int exponent = 0;
        const bool is_power = std::frexp(pieces[0].value, &exponent) == 0.5;
        if (pieces[1].text == "k" && (is_power || column.name == "seq")) return k;
        return pieces[1].written == "M" && is_batch && is_power ? k * k : 1;
    }
    /// The number in the text times `scale`, if that is a whole number from 1 to `column.most`; 0 if there is none.
    std::int64_t count(std::string_view text, const CountColumn& column, double scale, PublishedRow& row) const {
        if (says_nothing(text)) return 0;
        auto number = read_number(text);
        if (number) number->value *= scale * binary_scale(text, column);
        if (number && number->value == 0) return 0;
        if (number && number->value >= 1 && number->value <= static_cast<double>(column.most) &&
            std::floor(number->value) == number->value)
            return static_cast<std::int64_t>(number->value);
        if (row.wrong.empty())
            row.wrong = formats::quoted(text) + " is no whole number from 1 to " + std::to_string(column.most) + ".";
        return 0;
    }

    void take(std::string_view means, std::string_view header, std::string_view cell, PublishedRow& p) const {
        for (const TextColumn& c : text_columns)
            if (c.name == means) {
                if (says_nothing(cell) && c.name != "recompute") return;
                if (c.name == "precision")
                    if (const auto flag = read_flag(cell)) return take_flag(*flag, header, p);
                if (std::string& text = p.*c.place; c.name == "notes" && !text.empty()) {
                    text += "; " + std::string(cell);
                } else {
                    if (!text.empty()) p.texts.push_back(text);  // given for the whole table
                    text = cell;
                }
                if (c.name == "sharding" || c.name == "notes") take_facts(cell, p);
                return;
            }
        for (const CountColumn& c : count_columns)
            if (c.name == means) {
                if (c.name == "workers" || has_digit(header)) p.texts.emplace_back(header);  // "Number of A100s"
                if (facts_of(cell).size() > 1) return take_facts(cell, p);                   // "1 nodes / 8 GPUs"
                if (has_letters(cell)) p.texts.emplace_back(cell);                           // "128 A100"
                if (!read_number(cell) && has_letters(cell)) return;
                return take_count(c, header, cell, p);
            }
        if (means == "tokens") p.tokens = amount_in(cell, header);
        if (means == "params") take_parameters(header, cell, p);
        if (means == "shard_group") take_shards(cell, p);
        if (!means.empty() || says_nothing(cell)) return;
        if (has_letters(header)) p.texts.emplace_back(header);  // "StyleGAN2 (Tesla V100)"
        take_facts(cell, p);
        p.notes += (p.notes.empty() ? "" : "; ") + std::string(header) + " " + std::string(cell);
        p.texts.emplace_back(cell);
    }
    static bool has_digit(std::string_view text) { return text.find_first_of("0123456789") != std::string_view::npos; }
    static bool has_letters(std::string_view cell) {
        return std::any_of(cell.begin(), cell.end(),
                           [](char c) { return small_letter(c) >= 'a' && small_letter(c) <= 'z'; });
    }
    /// "yes" below "fp16" or "mixed precision"; "no" is single precision.
    static void take_flag(bool is_on, std::string_view header, PublishedRow& p) {
        const bool named = read_precision(header).has_value();
        if (is_on && (named || p.precision.empty())) p.precision = header;
        if (!is_on && p.precision.empty()) p.precision = "fp32";
    }
    void take_count(const CountColumn& c, std::string_view header, std::string_view cell, PublishedRow& p) const {
        // Global batches with M or k are numbers of tokens.
        const bool tokens = c.name == "batch_global" && cell.find_first_of("MmKk") != std::string_view::npos;
        const CountColumn* column = tokens ? &batch_tokens : &c;
        if (const auto number = read_number(cell); number && !number->unit.empty()) {  // "1 per device"
            const std::string means = read_column(std::string(header) + " " + number->unit, true).means;
            for (const CountColumn& other : count_columns)
                if (other.name == means) column = &other;
        }
        const double scale = scale_of(header, *column);
        if (const std::int64_t number = count(cell, *column, scale, p); number > 0) p.*column->place = number;
    }
    /// Cached, so that headers and titles are read once for all rows.
    const std::vector<Fact>& facts_of(std::string_view text) const {
        constexpr std::size_t most = 1000;
        auto known = facts_.find(text);
        if (known != facts_.end()) return known->second;
        if (facts_.size() >= most) facts_.clear();
        return facts_.emplace(std::string(text), read_facts(text)).first->second;
    }
    /// Fills empty fields with the facts in a text: "TP=8 DP=32 PP=4", "BS=32", "bf16".
    void take_facts(std::string_view text, PublishedRow& p) const {
        const std::string wrong = p.wrong;  // a mean of "85.5 tokens" is not an error in the row
        for (const Fact& fact : facts_of(text)) {
            for (const CountColumn& c : count_columns)
                if (c.name == fact.column && p.*c.place == 0) take_count(c, fact.column, fact.text, p);
            if (fact.column == "params" && p.parameters == 0) take_parameters({}, fact.text, p);
            if (fact.column == "tokens" && p.tokens == 0) p.tokens = amount_in(fact.text);
            if (fact.column == "shard_group" && p.shard_group == 0) take_shards(fact.text, p);
            if (fact.column == "precision" && p.precision.empty() && !has("precision")) p.precision = fact.text;
            if (fact.column == "sharding" && p.sharding.empty()) p.sharding = fact.text;
        }
        p.wrong = wrong;
    }
    /// Reads a group size, a kind of sharding, or "yes".
    static void take_shards(std::string_view cell, PublishedRow& p) {
        if (says_nothing(cell)) return;
        if (const auto number = read_number(cell)) {
            if (number->value <= 1) return;
            p.shard_group = static_cast<std::int64_t>(std::min(number->value, static_cast<double>(limits::workers)));
            p.sharding = "fsdp";
        } else if (read_recompute(cell) != Recompute::nothing) {
            p.sharding = shipped_vocabulary().read("sharding", cell).means.empty() ? "fsdp" : std::string(cell);
        }
    }
    /// Reads "7B", "6658859008", or "7" below "Params (B)". Ignores small numbers without a unit.
    static void take_parameters(std::string_view header, std::string_view cell, PublishedRow& p) {
        const auto number = read_number(cell);
        if (!number || !std::isfinite(number->value)) return;
        const std::string unit = in_small_letters(number->unit.empty() ? header : number->unit);
        const auto pieces = pieces_of(unit);
        const PieceMatcher words(pieces);
        const bool billions = words.find("b") || words.find("billion"),
                   millions = words.find("m") || words.find("million");
        constexpr double least = 1e5;
        if (billions || millions) p.parameters = number->value * (billions ? 1e9 : 1e6);
        if (!billions && !millions && number->value >= least) p.parameters = number->value;
    }

    /// "1.4T", "300B", "2e11", or 300 below "Tokens (B)".
    static double amount_in(std::string_view text, std::string_view header = {}) {
        const auto number = read_number(text);
        if (!number || !std::isfinite(number->value) || number->value <= 0) return 0;
        const auto of_unit = [](std::string_view unit) {
            const auto starts = [&](std::string_view word) { return unit.starts_with(word); };
            return starts("t") && !starts("tok") ? 1e12 : starts("b") || starts("g") ? 1e9 : 1;
        };
        double scale = of_unit(in_small_letters(number->unit));
        constexpr double plain = 1e5;  // more is a number of tokens
        if (scale == 1 && number->value < plain)
            for (const Piece& piece : pieces_of(header))
                if (is_among(piece.text, "t b trillion trillions billion billions")) scale = of_unit(piece.text);
        return number->value * scale;
    }

    void add_rows(std::size_t r, std::vector<PublishedRow>& rows) const {
        PublishedRow p;
        p.file = file_;
        p.line = grid_.lines[r];
        p.continued = grid_.continued[r];
        p.workers = p.accumulation = 0;
        for (std::size_t g = 0; g < given_.size(); ++g)
            if (!is_header(given_[g].first) && (!selects_[g] || holds_in(given_[g].first, grid_.rows[r])))
                take_given(given_[g], selects_[g], p);
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const auto numbers = compounds_[c].empty() ? std::vector<std::string_view>{} : numbers_of(grid_.rows[r][c]);
            if (numbers.size() != compounds_[c].size() || numbers.empty())
                take(columns_[c].means, grid_.header[c], grid_.rows[r][c], p);
            else
                for (std::size_t i = 0; i < numbers.size(); ++i)
                    take(compounds_[c][i], compounds_[c][i], numbers[i], p);
        }
        if (p.source.empty()) p.source = p.file;
        p.has_figures = has("layers");
        const std::size_t first = rows.size();
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const bool value = columns_[c].means == "value";
            if (!value && (columns_[c].means != "figure" || !may_be_figure(grid_.rows[r][c], columns_[c]))) continue;
            const auto parts = value ? std::vector{grid_.rows[r][c]} : parts_of(grid_.rows[r][c]);
            const auto names = parts_of(in_brackets(grid_.header[c]));
            for (std::size_t i = 0; i < parts.size(); ++i) {
                const auto own = read_number(parts[i]);
                if (parts.size() > 1 && !own) continue;
                ColumnReading part = own && parts.size() > 1 ? figure_with(own->unit) : ColumnReading{};
                const bool named = names.size() == parts.size();
                if (i > 0 && part.means.empty() && !named) break;  // the "3" in "12.1 / 3" has no known meaning
                PublishedRow row = p;
                if (!value && named && parts.size() > 1) take_header(names[i], row);
                if (!value) take_header(grid_.header[c], row);
                constexpr std::size_t longest_unit = 12;
                if (own && parts[i].size() > longest_unit) row.texts.emplace_back(parts[i]);  // "22h on 8 P100"
                settle(row);
                take_figure(row, part.means.empty() ? columns_[c] : part, grid_.header[c], parts[i], value);
                rows.push_back(std::move(row));
            }
        }
        settle_steps(rows, first);
        drop_open(rows, first);
    }
    /// Drops the time of a whole training beside other figures if nothing says how long that was.
    static void drop_open(std::vector<PublishedRow>& rows, std::size_t from) {
        const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(from);
        const auto is_endless = [](const PublishedRow& r) {
            return (r.metric == "training_time" || r.metric == "device_time") && r.steps + r.epochs == 0 &&
                   r.tokens == 0;
        };
        if (!std::all_of(begin, rows.end(), is_endless))
            rows.erase(std::remove_if(begin, rows.end(), is_endless), rows.end());
    }
    /// A step time without a unit beside a rate of samples: the one of s and ms that the batch and the rate come to.
    static void settle_steps(std::vector<PublishedRow>& rows, std::size_t from) {
        const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(from);
        const auto rate = std::find_if(begin, rows.end(), is_rate_of_samples);
        if (rate == rows.end()) return;
        const std::int64_t all = rate->batch_global > 0 ? rate->batch_global
                                 : rate->batch > 0      ? rate->batch
                                                        : rate->batch_per_worker * rate->accumulation * rate->copies();
        for (auto row = begin; row != rows.end(); ++row) {
            const double expected = static_cast<double>(all) / rate->value;
            if (row->metric != "step" || row->unit != "s" || !row->unit_assumed || expected <= 0 || row->value <= 0)
                continue;
            const auto off = [&](double step) { return std::abs(std::log(step / expected)); };
            if (off(row->value / 1e3) < off(row->value)) row->unit = "ms";
        }
    }
    static bool is_open(const PublishedRow& r) { return r.batch > 0 && r.batch_global + r.batch_per_worker == 0; }
    static bool is_rate_of_samples(const PublishedRow& r) {
        return r.value > 0 && (r.unit == "samples/s" || r.unit == "images/s");
    }
    /// Samples per step of all workers (a rate times the step time of the same run) divided by the given batch; 0 if
    /// the run lacks one of the two.
    static double batches_of_step(std::span<const PublishedRow> run) {
        constexpr double ms_per_second = 1e3;
        const auto rate =
            std::find_if(run.begin(), run.end(), [](auto& r) { return is_open(r) && is_rate_of_samples(r); });
        if (rate == run.end()) return 0;
        const auto step = std::find_if(run.begin(), run.end(), [&](auto& r) {
            return r.metric == "step" && r.batch == rate->batch && (r.unit == "s" || r.unit == "ms");
        });
        if (step == run.end()) return 0;
        const double seconds = step->value / (step->unit == "ms" ? ms_per_second : 1);
        return rate->value * seconds / static_cast<double>(rate->batch);
    }
    /// Whether the batch of most rows is proportional to the number of workers, of which there are several.
    static bool batch_grows(const std::vector<PublishedRow>& rows) {
        constexpr std::size_t several = 3;
        constexpr double most_off = 0.03, most = 0.75;
        std::set<std::int64_t> workers;
        std::size_t open = 0, grown = 0;
        double first = 0;
        for (const PublishedRow& row : rows) {
            if (!is_open(row)) continue;
            const double each = static_cast<double>(row.batch) / static_cast<double>(row.workers);
            if (open++ == 0) first = each;
            if (std::abs(each / first - 1) > most_off) continue;
            workers.insert(row.workers);
            ++grown;
        }
        return workers.size() >= several && static_cast<double>(grown) >= most * static_cast<double>(open);
    }
    /// Determines whether an ambiguous batch is that of all workers or of each. It is that of all if a rate times the
    /// step time equals it, or if it grows with the number of workers; it is that of each if the product is larger.
    static void settle_whose_batch(std::vector<PublishedRow>& rows) {
        constexpr double most_off = 1.15, least_each = 1.8;
        std::size_t of_all = 0, of_each = 0;
        for (std::size_t from = 0, to = 0; from < rows.size(); from = to) {
            while (to < rows.size() && rows[to].line == rows[from].line) ++to;
            const double batches = batches_of_step({rows.data() + from, to - from});
            of_all += batches > 1 / most_off && batches < most_off;
            of_each += batches > least_each;
        }
        if (of_all + of_each == 0) of_all += batch_grows(rows);
        if ((of_all > 0) == (of_each > 0)) return;
        for (PublishedRow& row : rows) {
            if (!is_open(row)) continue;
            (of_all > 0 ? row.batch_global : row.batch_per_worker) = std::exchange(row.batch, 0);
            settle_batch(row);
        }
    }
    /// Not "-", "out of memory" or 0, which say that nothing was measured, and not the change to another run: "+3 %".
    static bool may_be_figure(std::string_view cell, const ColumnReading& column) {
        const auto number = read_number(cell);
        if (number && number->value == 0) return false;
        if (number && number->unit.starts_with('%') && column.unit != "%") return false;
        return !says_nothing(cell) && cell.find_first_of("0123456789") != std::string_view::npos;
    }
    /// "1761.3 / 2339.8" → "1761.3", "2339.8".
    static std::vector<std::string_view> parts_of(std::string_view cell) {
        constexpr std::string_view between = " / ";
        std::vector<std::string_view> parts;
        for (;;) {
            const std::size_t end = cell.find(between);
            parts.push_back(trimmed(cell.substr(0, end)));
            if (end == std::string_view::npos) return parts;
            cell.remove_prefix(end + between.size());
        }
    }
    /// The text in the last pair of brackets of a name.
    static std::string_view in_brackets(std::string_view name) {
        const std::size_t begin = name.rfind('('), end = name.rfind(')');
        if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
        return name.substr(begin + 1, end - begin - 1);
    }
    /// Whether a name such as "model 7B" ends with the text of a cell.
    static bool ends_with_cell(std::string_view name, std::string_view cell) {
        return !cell.empty() && name.size() > cell.size() + 1 && name.ends_with(cell) &&
               name[name.size() - cell.size() - 1] == ' ';
    }
    static bool holds_in(std::string_view name, const std::vector<std::string_view>& row) {
        return std::any_of(row.begin(), row.end(), [&](std::string_view cell) { return ends_with_cell(name, cell); });
    }
    bool is_of_some_rows(std::string_view name) const {
        return std::any_of(grid_.rows.begin(), grid_.rows.end(), [&](const auto& row) { return holds_in(name, row); });
    }
    /// Takes a value given for all rows, or for the rows that the name selects. The text may be a sentence: "not
    /// stated", "8 in every run".
    void take_given(const GivenColumn& given, bool selects, PublishedRow& p) const {
        const auto& [name, text] = given;
        const std::string means = given_means(given);
        const bool counts = is_count(means);
        const bool is_text = counts ? !read_number(text) : means == "network" && selects;
        take(is_text ? std::string_view() : std::string_view(means), name, text, p);
        if (!counts) take_facts(text, p);
    }
    /// Takes what the header of a figure states about the run: its precision, device, network or batch.
    void take_header(std::string_view header, PublishedRow& row) const {
        if (row.precision.empty() && read_precision(header)) row.precision = header;
        take_facts(header, row);
        const auto number = read_number(header);
        const std::string counted = number ? read_column(grid_.corner, true).means : std::string();
        for (const CountColumn& c : count_columns)
            if (c.name == counted && row.*c.place == 0) take_count(c, grid_.corner, header, row);
        row.texts.emplace_back(header);
    }
    void settle(PublishedRow& p) const {
        for (const std::string& text : grid_.around) {
            take_facts(text, p);
            p.texts.push_back(text);
        }
        p.texts.push_back(name_of_file_);
        if (p.nodes > 0 && p.devices_per_node > 0 && p.workers == 0) p.workers = p.nodes * p.devices_per_node;
        p.workers_given = p.workers > 0;
        p.workers = std::max<std::int64_t>(1, p.workers);
        p.accumulation = std::max<std::int64_t>(1, p.accumulation);
        settle_batch(p);
    }
    static bool names_unit(std::string_view text) { return unit_in("s", text) == unit_in("min", text); }
    static void take_figure(PublishedRow& row, const ColumnReading& column, std::string_view header,
                            std::string_view cell, bool value) {
        const auto number = read_number(cell);
        if (!value) {
            row.metric = column.metric;
            row.unit = number ? unit_in(column.unit, number->unit) : column.unit;  // "44045 MB"
            row.unit_assumed = !number || (!names_unit(header) && !names_unit(number->unit));
            if (column.each_device) row.unit += "/GPU";
            const auto pieces = pieces_of(header);
            if (PieceMatcher(pieces).find("hardware")) row.flops_counted = "hardware";
            for (const std::string_view counted : {"allocated", "reserved"})
                if (PieceMatcher(pieces).find(counted)) row.memory_counted = counted;
            if (number && column.metric == "mfu" && number->value <= 1 && number->unit.empty()) row.unit = "share";
        }
        if (value && row.unit.empty()) {
            const ColumnReading read = read_figure(row.metric);
            row.unit = number && !number->unit.empty() ? number->unit : read.unit + (read.each_device ? "/GPU" : "");
        }
        if (number && number->value > 0 && std::isfinite(number->value))
            row.value = column.inverse && !value ? 1 / number->value : number->value / column.each;
        constexpr double most_tera = 1e9, tera = 1e12;  // "2.8e14" in a column of TFLOPs
        if (row.metric == "flop_rate" && row.unit.starts_with("TFLOP") && row.value > most_tera) row.value /= tera;
        if (row.value > 0) return;
        if (row.wrong.empty()) row.wrong = "Its value is not above zero.";
    }

    std::string file_;
    std::string name_of_file_;  ///< without folders and ending: "resnet50_v100"
    SourcePosition head_;
    Grid grid_;
    std::span<const GivenColumn> given_;
    ColumnReading of_table_;  ///< meaning of numbers whose column does not state one
    std::vector<ColumnReading> columns_;
    std::vector<std::vector<std::string>> compounds_;  ///< by column: those that it holds together
    std::vector<bool> selects_;                        ///< by given column: whether its name selects some of the rows
    mutable std::map<std::string, std::vector<Fact>, std::less<>> facts_;
};

}  // namespace

namespace {

/// Reads the tables of a page one after the other. What stands above a table applies to those below it, and so does a
/// small table of facts: "GPU | A100".
template <class Take>
void for_each_table(const CsvTable& first, std::span<const GivenColumn> given, Take take) {
    constexpr int most_tables = 100, most_columns = 3;
    std::string above;
    std::optional<CsvTable> table = first;
    for (int n = 0; table && n < most_tables; ++n) {
        const bool has_figures = take(PublishedReader(*table, given, above, table->text_below()));
        above += std::string(table->title()) + '\n';
        if (!has_figures && table->columns() <= most_columns)
            for (std::size_t r = 0; r <= table->rows(); ++r, above += '\n')
                for (std::size_t c = 0; c < table->columns(); ++c)
                    above += std::string(r == 0 ? table->name(c) : table->cell(r - 1, c)) + ' ';
        table = table->next();
    }
}

}  // namespace

Result<std::vector<PublishedRow>> read_published(const CsvTable& table, std::span<const GivenColumn> given) {
    std::vector<PublishedRow> all;
    std::optional<Problems> wrong;
    for_each_table(table, given, [&](const PublishedReader& reader) {
        auto rows = reader.read();
        if (rows) all.insert(all.end(), rows->begin(), rows->end());
        if (!rows && !wrong) wrong = rows.error();
        return rows && !rows->empty();
    });
    if (all.empty() && wrong) return fail(std::move(*wrong));
    return all;
}

std::vector<TakenColumn> columns_taken(const CsvTable& table, std::span<const GivenColumn> given) {
    std::vector<TakenColumn> all;
    for_each_table(table, given, [&](const PublishedReader& reader) {
        const auto taken = reader.taken();
        all.insert(all.end(), taken.begin(), taken.end());
        const auto rows = reader.read();
        return rows && !rows->empty();
    });
    return all;
}

}  // namespace scalescope::measure
