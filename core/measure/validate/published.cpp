// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/published.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

#include "core/base/letters.hpp"
#include "core/base/name_list.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/measure/validate/columns.hpp"
#include "core/measure/validate/grid.hpp"
#include "core/measure/validate/settled.hpp"
#include "core/measure/validate/table_columns.hpp"
#include "core/words/choices.hpp"
#include "core/words/facts.hpp"
#include "core/words/figure_words.hpp"
#include "core/words/pieces.hpp"
#include "core/words/table_words.hpp"
#include "core/words/vocabulary.hpp"

namespace scalescope::measure {

namespace {

using formats::CsvTable;

class PublishedReader {
public:
    PublishedReader(const CsvTable& table, std::span<const GivenColumn> given, std::string_view above = {},
                    std::string_view below = {})
        : file_(table.file()),
          name_of_file_(std::filesystem::path(file_).stem().string()),
          head_(table.name_at(0)),
          grid_(grid_of(table, above, below)),
          given_(given),
          columns_(grid_, given_) {
        for (const GivenColumn& g : given_) selects_.push_back(is_of_some_rows(g.first));
        for (const std::string& text : grid_.around) facts_around_.push_back(without_inference(text));
    }
    PublishedReader(const PublishedReader&) = delete;  // columns_ refers to grid_
    PublishedReader& operator=(const PublishedReader&) = delete;

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
        const bool any_text = !grid_.around.empty() || !name_of_file_.empty() || columns_.has("") ||
                              columns_.has("workers");  // "Number of A100s"
        std::string missing;
        for (const std::string_view column : {"network", "device"})
            if (!columns_.has(column) && !any_text && !(column == "network" && columns_.has("params")))
                missing += (missing.empty() ? "" : " and no ") + std::string(column);
        if (!columns_.has("value") && !columns_.has("figure"))
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
        constexpr double rounding = 1e-9;  // 33.55 times a million
        const double whole = number ? std::round(number->value) : 0;
        if (whole >= 1 && whole <= static_cast<double>(column.most) &&
            std::abs(number->value - whole) <= rounding * whole)
            return static_cast<std::int64_t>(whole);
        // "0.35" epochs of a training whose steps are given too
        if (row.wrong.empty() && !is_among(column.name, "epochs steps samples"))
            row.wrong = formats::quoted(text) + " is no whole number from 1 to " + std::to_string(column.most) + ".";
        return 0;
    }

    void take(std::string_view means, std::string_view header, std::string_view cell, PublishedRow& p) const {
        for (const TextColumn& c : text_columns)
            if (c.name == means) {
                if (says_nothing(cell) && c.name != "recompute") return;
                if (c.name == "precision")
                    if (const auto flag = read_flag(cell)) return take_flag(*flag, header, p);
                if (c.name == "network" && header.find_first_of("[(") != header.npos)
                    p.texts.emplace_back(header);  // "Model Type [LoRA]"
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
        if (means == "schedule") take_schedule(cell, p);
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
    /// Whether a text is about inference and not about training.
    static bool is_of_inference(std::string_view text) {
        const auto pieces = pieces_of(text);
        const auto says = [&](const char* kind) {
            return !shipped_vocabulary().read_strictly(kind, pieces).means.empty();
        };
        return says("inference") && !says("training");
    }
    /// The same of a header or a name, which many rows share.
    bool is_called_inference(const std::string& name) const {
        auto known = inference_.find(name);
        if (known == inference_.end()) known = inference_.emplace(name, is_of_inference(name)).first;
        return known->second;
    }
    static std::string without_inference(std::string_view text) {
        constexpr std::string_view ends = ".;\n";
        std::string kept;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find_first_of(ends), text.size() - 1) + 1;
            if (!is_of_inference(text.substr(0, end))) kept += text.substr(0, end);
            text.remove_prefix(end);
        }
        return kept;
    }
    /// "yes" below "fp16" or "mixed precision"; "no" is single precision.
    static void take_flag(bool is_on, std::string_view header, PublishedRow& p) {
        const bool named = read_precision(header).has_value();
        if (is_on && (named || p.precision.empty())) p.precision = header;
        if (!is_on && p.precision.empty()) p.precision = "fp32";
    }
    void take_count(const CountColumn& c, std::string_view header, std::string_view cell, PublishedRow& p) const {
        // Global batches of millions, or of more thousands than samples, are numbers of tokens.
        constexpr double most_samples = 131072;
        const auto written = read_number(cell);
        const bool tokens = c.name == "batch_global" && written && written->value > most_samples &&
                            cell.find_first_of("MmKk") != std::string_view::npos;
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
            if (p.batch_derived && fact.column.find("batch") != std::string::npos && fact.column != "micro_batch")
                continue;
            for (const CountColumn& c : count_columns)
                if (c.name == fact.column && p.*c.place == 0) take_count(c, fact.column, fact.text, p);
            if (fact.column == "params" && p.parameters == 0) take_parameters({}, fact.text, p);
            if (fact.column == "tokens" && p.tokens == 0) p.tokens = amount_in(fact.text);
            if (fact.column == "shard_group" && p.shard_group == 0) take_shards(fact.text, p);
            if (fact.column == "precision" && p.precision.empty() && !columns_.has("precision"))
                p.precision = fact.text;
            if (fact.column == "sharding" && p.sharding.empty()) p.sharding = fact.text;
        }
        p.wrong = wrong;
    }
    /// "90k" steps, or "2x": 24 epochs of COCO (train2017), as detectors are trained.
    static void take_schedule(std::string_view cell, PublishedRow& p) {
        constexpr std::int64_t epochs = 12, images = 118287;
        constexpr double most_times = 20, most_steps = 1e9;
        const auto number = read_number(cell);
        if (!number || !(number->value >= 1 && number->value < most_steps)) return;
        const auto whole = static_cast<std::int64_t>(number->value);
        if (in_small_letters(number->unit).starts_with('x') && number->value < most_times)
            p.epochs = epochs * whole, p.samples = images;
        else if (number->unit.empty() && number->value > most_times)
            p.steps = whole;
        else if (unit_of_kind("work", pieces_of(number->unit)) == "epochs")
            p.epochs = whole;
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
            if (starts("billon") || starts("billionen")) return 1e12;  // Spanish, German
            return starts("t") && !starts("tok") ? 1e12 : starts("b") || starts("g") || starts("mrd") ? 1e9 : 1;
        };
        double scale = of_unit(in_small_letters(number->unit));
        constexpr double plain = 1e5;  // more is a number of tokens
        if (scale == 1 && number->value < plain)
            for (const Piece& piece : pieces_of(header))
                if (is_among(piece.text, "t b trillion trillions billion billions mrd")) scale = of_unit(piece.text);
        return number->value * scale;
    }

    void add_rows(std::size_t r, std::vector<PublishedRow>& rows) const {
        PublishedRow p;
        p.file = file_;
        p.line = grid_.lines[r];
        p.continued = grid_.continued[r];
        p.workers = p.accumulation = 0;
        for (std::size_t g = 0; g < given_.size(); ++g)
            if (!columns_.is_header(given_[g].first) && (!selects_[g] || holds_in(given_[g].first, grid_.rows[r])))
                take_given(given_[g], selects_[g], p);
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const auto numbers =
                columns_.compound(c).empty() ? std::vector<std::string_view>{} : numbers_of(grid_.rows[r][c]);
            if (numbers.size() != columns_.compound(c).size() || numbers.empty())
                take(columns_[c].means, grid_.header[c], grid_.rows[r][c], p);
            else
                for (std::size_t i = 0; i < numbers.size(); ++i)
                    take(columns_.compound(c)[i], columns_.compound(c)[i], numbers[i], p);
        }
        if (p.source.empty()) p.source = p.file;
        p.has_figures = columns_.has("layers");
        const std::size_t first = rows.size();
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const bool value = columns_[c].means == "value";
            if (!value && (columns_[c].means != "figure" || !may_be_figure(grid_.rows[r][c], columns_[c]))) continue;
            const auto parts = value ? std::vector{grid_.rows[r][c]} : parts_of(grid_.rows[r][c]);
            const auto names = parts_of(in_brackets(grid_.header[c]));
            for (std::size_t i = 0; i < parts.size(); ++i) {
                const auto own = read_number(parts[i]);
                if (parts.size() > 1 && !own) continue;
                ColumnReading part = own && (parts.size() > 1 || !value) ? figure_with(own->unit) : ColumnReading{};
                if (parts.size() == 1 && !is_other_figure(part, columns_[c])) part = {};
                part.each_device = part.each_device || columns_[c].each_device;
                const bool named = names.size() == parts.size();
                if (i > 0 && part.means.empty() && !named) break;  // the "3" in "12.1 / 3" has no known meaning
                PublishedRow row = p;
                if (!value && named && parts.size() > 1) take_header(names[i], row);
                if (!value) take_header(grid_.header[c], row);
                constexpr std::size_t longest_unit = 12;
                if (own && parts[i].size() > longest_unit) {  // "22h on 8 P100", "88 h for 10 epochs"
                    row.texts.emplace_back(parts[i]);
                    take_facts(parts[i], row);
                }
                take_figure(row, part.means.empty() ? columns_[c] : part, grid_.header[c], parts[i], value);
                rows.push_back(std::move(row));
            }
        }
        settle_steps_of_run(rows, first);
        for (std::size_t i = first; i < rows.size(); ++i) settle(rows[i]);
        settle_steps(rows, first);
        drop_open(rows, first);
    }
    /// Not "-", "out of memory" or 0, which say that nothing was measured, and not the change to another run: "+3 %".
    static bool may_be_figure(std::string_view cell, const ColumnReading& column) {
        const auto number = read_number(cell);
        if (number && number->value == 0) return false;
        if (number && number->unit.starts_with('%') && column.unit != "%") return false;
        return !says_nothing(cell) && (number || has_digit(cell));
    }
    /// Whether a cell states a related figure in a unit other than that of its column: "1.12 s/it" above "1.08 it/s",
    /// "6 days" above "320,256 GPU hours".
    static bool is_other_figure(const ColumnReading& cell, const ColumnReading& column) {
        const bool alike = std::any_of(std::begin(alike_figures), std::end(alike_figures), [&](auto metrics) {
            return is_among(cell.metric, metrics) && is_among(column.metric, metrics);
        });
        return alike && !cell.unit.empty() && !column.unit.empty() &&
               (cell.metric != column.metric || (cell.metric == "throughput" && cell.unit != column.unit));
    }
    static constexpr std::string_view alike_figures[] = {"throughput step", "training_time device_time"};
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
        for (std::size_t i = 0; i < grid_.around.size(); ++i) {
            take_facts(facts_around_[i], p);
            p.texts.push_back(grid_.around[i]);
        }
        take_facts(name_of_file_, p);  // "train_fp16"
        p.texts.push_back(name_of_file_);
        if (p.nodes > 0 && p.devices_per_node > 0 && p.workers == 0) p.workers = p.nodes * p.devices_per_node;
        p.workers_given = p.workers > 0;
        p.workers = std::max<std::int64_t>(1, p.workers);
        p.accumulation = std::max<std::int64_t>(1, p.accumulation);
        if (p.workers_given) settle_batch(p);  // otherwise when the device's name has said how many there are
    }
    static bool names_unit(std::string_view text) { return unit_in("s", text) == unit_in("min", text); }
    void take_figure(PublishedRow& row, const ColumnReading& column, std::string_view header, std::string_view cell,
                     bool value) const {
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
            const bool is_share = is_among(column.metric, "mfu hfu");
            if (number && is_share && number->value <= 1 && number->unit.empty()) row.unit = "share";
            if (column.metric == "step" && is_among(row.unit, "h days weeks months")) row.metric = "training_time";
        }
        if (value && row.unit.empty()) {
            const ColumnReading read = read_figure(row.metric);
            row.unit = number && !number->unit.empty() ? number->unit : read.unit + (read.each_device ? "/GPU" : "");
        }
        if (number && number->value > 0 && std::isfinite(number->value))
            row.value = column.inverse && !value ? 1 / number->value : number->value / column.each;
        constexpr double most_tera = 1e9, tera = 1e12;  // "2.8e14" in a column of TFLOPs
        if (row.metric == "flop_rate" && row.unit.starts_with("TFLOP") && row.value > most_tera) row.value /= tera;
        constexpr double thousand = 1e3;  // "K H800 hours"
        if (row.metric == "device_time" && pieces_of(header).size() > 1 && pieces_of(header).front().written == "K")
            row.value *= thousand;
        const bool of_inference =
            is_called_inference(row.network) || (!value && is_called_inference(std::string(header)));
        if (row.value > 0 && !of_inference) return;
        if (row.wrong.empty())
            row.wrong = row.value > 0 ? "It is a figure of inference; only training is predicted."
                                      : "Its value is not above zero.";
    }

    std::string file_;
    std::string name_of_file_;  ///< without folders and ending: "resnet50_v100"
    SourcePosition head_;
    Grid grid_;
    std::span<const GivenColumn> given_;
    TableColumns columns_;
    std::vector<std::string> facts_around_;  ///< the texts around the table, without what they say about inference
    std::vector<bool> selects_;              ///< by given column: whether its name selects some of the rows
    mutable std::map<std::string, std::vector<Fact>, std::less<>> facts_;
    mutable std::map<std::string, bool> inference_;
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
        above += std::string(table->title()) + "\n\n";
        if (!has_figures && table->columns() <= most_columns)
            for (std::size_t r = 0; r <= table->rows(); ++r, above += "\n\n")
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
