// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/published.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/decimal.hpp"
#include "core/base/letters.hpp"
#include "core/base/limits.hpp"
#include "core/base/name_list.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/words/choices.hpp"
#include "core/words/pieces.hpp"
#include "core/words/table_words.hpp"
#include "core/words/vocabulary.hpp"

namespace scalescope::measure {

namespace {

using formats::CsvTable;

struct TextColumn {
    std::string_view name;
    std::string PublishedRow::*place;
};
constexpr std::array<TextColumn, 14> text_columns{{{"source", &PublishedRow::source},
                                                   {"framework", &PublishedRow::framework},
                                                   {"network", &PublishedRow::network},
                                                   {"device", &PublishedRow::device},
                                                   {"interconnect", &PublishedRow::interconnect},
                                                   {"precision", &PublishedRow::precision},
                                                   {"metric", &PublishedRow::metric},
                                                   {"unit", &PublishedRow::unit},
                                                   {"notes", &PublishedRow::notes},
                                                   {"recompute", &PublishedRow::recompute},
                                                   {"sharding", &PublishedRow::sharding},
                                                   {"sequence_parallel", &PublishedRow::sequence_parallel},
                                                   {"flops_counted", &PublishedRow::flops_counted},
                                                   {"memory_counted", &PublishedRow::memory_counted}}};

/// A column of whole numbers from 1.
struct CountColumn {
    std::string_view name;
    std::int64_t PublishedRow::*place;
    std::int64_t most;
};
constexpr std::array<CountColumn, 23> count_columns{
    {{"workers", &PublishedRow::workers, limits::workers},
     {"nodes", &PublishedRow::nodes, limits::workers},
     {"gpus_per_node", &PublishedRow::devices_per_node, limits::workers},
     {"seq", &PublishedRow::sequence, limits::dimension},
     {"batch_per_worker", &PublishedRow::batch_per_worker, limits::batch},
     {"batch_global", &PublishedRow::batch_global, limits::batch},
     {"batch_tokens", &PublishedRow::batch_tokens, limits::batch},
     {"batch", &PublishedRow::batch, limits::batch},
     {"micro_batch", &PublishedRow::micro_batch, limits::batch},
     {"accumulation", &PublishedRow::accumulation, limits::repeats},
     {"tp", &PublishedRow::tensor, limits::workers},
     {"pp", &PublishedRow::pipeline, limits::workers},
     {"dp", &PublishedRow::replicas, limits::workers},
     {"cp", &PublishedRow::context, limits::workers},
     {"ep", &PublishedRow::expert, limits::workers},
     {"etp", &PublishedRow::expert_tensor, limits::workers},
     {"interleave", &PublishedRow::interleave, limits::chunks},
     {"layers", &PublishedRow::layers, limits::dimension},
     {"hidden", &PublishedRow::hidden, limits::dimension},
     {"heads", &PublishedRow::heads, limits::dimension},
     {"kv_heads", &PublishedRow::kv_heads, limits::dimension},
     {"feed_forward", &PublishedRow::feed_forward, limits::dimension},
     {"vocab", &PublishedRow::vocabulary, limits::dimension}}};

constexpr CountColumn batch_tokens{"batch_tokens", &PublishedRow::batch_tokens, limits::batch};

std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t most) {
    const auto number = parse_decimal(text);
    if (!number || *number < 1 || *number > static_cast<double>(most) || std::floor(*number) != *number)
        return std::nullopt;
    return static_cast<std::int64_t>(*number);
}

std::optional<double> positive_number(std::string_view text) {
    const auto number = parse_decimal(text);
    return number && *number > 0 && std::isfinite(*number) ? number : std::nullopt;
}

/// Whether the cell gives no value: "n/a", "-", "none".
bool says_nothing(std::string_view cell) {
    const std::string small = in_small_letters(trimmed(cell));
    return small.find_first_not_of("-–—?. ") == std::string::npos ||
           is_among(small, "n/a na none null nan tbd oom x unknown");
}

class PublishedReader {
public:
    PublishedReader(const CsvTable& table, std::span<const GivenColumn> given) : table_(table), given_(given) {
        for (std::size_t c = 0; c < table.columns(); ++c) columns_.push_back(meaning_of(c));
    }

    const std::vector<ColumnReading>& columns() const { return columns_; }

    Result<std::vector<PublishedRow>> read() {
        std::string missing;
        for (const std::string_view column : {"network", "device"})
            if (!has(column)) missing += (missing.empty() ? "" : " and no ") + std::string(column);
        if (!has("value") && !has("figure"))
            missing += (missing.empty() ? "" : " and no ") + std::string("figure such as tokens/s");
        if (!missing.empty())
            return fail(make_error(
                "The table has no " + missing + ".",
                "name the column, --map \"Speed=tokens/s\", or give a value for all rows, --map \"device=H100 SXM\"",
                table_.name_at(0)));
        std::vector<PublishedRow> rows;
        for (std::size_t r = 0; r < table_.rows(); ++r) add_rows(r, rows);
        return rows;
    }

private:
    bool has(std::string_view means) const {
        return std::any_of(columns_.begin(), columns_.end(),
                           [&](const ColumnReading& c) { return c.means == means; }) ||
               std::any_of(given_.begin(), given_.end(), [&](const GivenColumn& g) {
                   return !table_.column(g.first) && given_means(g.first) == means;
               });
    }
    static std::string given_means(std::string_view name) {
        const std::string means = read_column(name, false).means;
        return means.empty() ? read_column(name, true).means : means;
    }
    /// What column `c` holds: as given, otherwise as its header and cells say.
    ColumnReading meaning_of(std::size_t c) const {
        std::size_t numbers = 0, filled = 0;
        std::string unit;
        constexpr std::size_t looked_at = 200;
        for (std::size_t r = 0; r < std::min(table_.rows(), looked_at); ++r)
            if (const auto cell = table_.cell(r, c); !says_nothing(cell)) {
                ++filled;
                const auto number = read_number(cell);
                numbers += number.has_value();
                if (number && unit.empty()) unit = number->unit;
            }
        const bool are_numbers = filled > 0 && 2 * numbers >= filled;
        for (const auto& [name, means] : given_)
            if (table_.name(c) == name) {
                ColumnReading reading = read_column(means, true);
                if (reading.means.empty()) reading = read_column(means, false);
                return reading;
            }
        ColumnReading reading = read_column(table_.name(c), are_numbers);
        if (are_numbers && reading.means != "figure" && !unit.empty()) {  // the unit is in the cells
            ColumnReading with_unit = read_column(std::string(table_.name(c)) + " " + unit, true);
            if (with_unit.means == "figure") reading = std::move(with_unit);
        }
        return reading;
    }

    /// The text as a whole number from 1 to `column.most`; 0 if nothing was given.
    std::int64_t count(std::string_view text, const CountColumn& column, PublishedRow& row) const {
        if (says_nothing(text)) return 0;
        auto number = read_number(text);
        // "8k" tokens are 8,192.
        if (number && column.name == "seq" && in_small_letters(text).find('k') != std::string::npos)
            number->value *= 1.024;
        if (number && number->value == 0) return 0;
        if (number && number->value >= 1 && number->value <= static_cast<double>(column.most) &&
            std::floor(number->value) == number->value)
            return static_cast<std::int64_t>(number->value);
        if (row.wrong.empty())
            row.wrong = formats::quoted(text) + " is no whole number from 1 to " + std::to_string(column.most) + ".";
        return 0;
    }

    /// The whole number after `key` in a phrase of the notes; 0 if there is none.
    static std::int64_t noted(const PublishedRow& row, std::string_view key, std::int64_t most) {
        for (const std::string& phrase : phrases_of(row.notes)) {
            if (!phrase.starts_with(key)) continue;
            if (const auto number = whole_number(std::string_view(phrase).substr(key.size()), most)) return *number;
        }
        return 0;
    }

    static std::int64_t noted_number(std::string_view text) {
        return whole_number(text.substr(0, text.find_first_not_of("0123456789")), limits::workers).value_or(0);
    }

    void take(std::string_view means, std::string_view header, std::string_view cell, PublishedRow& p) const {
        for (const TextColumn& c : text_columns)
            if (c.name == means) {
                if (!says_nothing(cell) || c.name == "recompute") p.*c.place = cell;
                if (c.name == "sharding" || c.name == "notes") take_degrees(cell, p);
                return;
            }
        for (const CountColumn& c : count_columns)
            if (c.name == means) {
                // Global batches with M or k are counted in tokens.
                const bool tokens = c.name == "batch_global" && cell.find_first_of("MmKk") != std::string_view::npos;
                if (const std::int64_t number = count(cell, tokens ? batch_tokens : c, p); number > 0)
                    p.*(tokens ? batch_tokens : c).place = number;
                return;
            }
        if (means == "tokens") p.tokens = positive_number(cell).value_or(0.0);
        if (means == "shard_group") take_shards(cell, p);
        if (means.empty()) take_degrees(cell, p);
        if (means.empty() && !says_nothing(cell))
            p.notes += (p.notes.empty() ? "" : "; ") + std::string(header) + " " + std::string(cell);
    }
    /// Reads several degrees from one cell: "TP=8 DP=32 PP=4", "tp8-pp4".
    void take_degrees(std::string_view cell, PublishedRow& p) const {
        const auto pieces = pieces_of(cell);
        for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
            if (pieces[i].number || !pieces[i + 1].number) continue;
            for (const CountColumn& c : count_columns)
                if (is_among(c.name, "tp pp dp cp ep etp") && c.name == pieces[i].text && p.*c.place == 0 &&
                    pieces[i + 1].value >= 1)
                    p.*c.place = count(pieces[i + 1].text, c, p);
        }
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

    void add_rows(std::size_t r, std::vector<PublishedRow>& rows) const {
        PublishedRow p;
        p.file = table_.file();
        p.line = table_.at(r, 0).line;
        p.workers = p.accumulation = 0;
        for (const auto& [name, text] : given_)
            if (!table_.column(name)) take(given_means(name), name, text, p);
        for (std::size_t c = 0; c < table_.columns(); ++c)
            take(columns_[c].means, table_.name(c), table_.cell(r, c), p);
        if (p.source.empty()) p.source = p.file;
        if (p.nodes > 0 && p.devices_per_node > 0 && p.workers == 0) p.workers = p.nodes * p.devices_per_node;
        p.workers_given = p.workers > 0;
        p.workers = std::max<std::int64_t>(1, p.workers);
        if (p.sequence == 0) p.sequence = noted(p, "seq_len=", limits::dimension);
        if (p.accumulation == 0) p.accumulation = std::max<std::int64_t>(1, noted(p, "grad_accum=", limits::repeats));
        if (const auto at = p.notes.find("context parallel "); p.context == 0 && at != std::string::npos)
            p.context = noted_number(std::string_view(p.notes).substr(at + 17));
        p.has_figures = has("layers");
        if (p.batch_per_worker > 0)
            p.batch_global = p.micro_batch = 0;
        else
            settle_batch(p);
        for (std::size_t c = 0; c < table_.columns(); ++c) {
            const bool value = columns_[c].means == "value";
            if (!value && columns_[c].means != "figure") continue;
            PublishedRow row = p;
            if (!value && says_nothing(table_.cell(r, c))) continue;
            if (!value && row.precision.empty() && read_precision(table_.name(c))) row.precision = table_.name(c);
            take_figure(row, columns_[c], table_.name(c), table_.cell(r, c), value);
            rows.push_back(std::move(row));
        }
    }
    static void take_figure(PublishedRow& row, const ColumnReading& column, std::string_view header,
                            std::string_view cell, bool value) {
        const auto number = read_number(cell);
        if (!value) {
            row.metric = column.metric;
            row.unit = column.unit + (column.each_device ? "/GPU" : "");
            const auto pieces = pieces_of(header);
            if (PieceMatcher(pieces).find("hardware")) row.flops_counted = "hardware";
            for (const std::string_view counted : {"allocated", "reserved"})
                if (PieceMatcher(pieces).find(counted)) row.memory_counted = counted;
            if (number && column.metric == "mfu" && number->value <= 1 && number->unit.empty()) row.unit = "share";
        }
        if (number && number->value > 0 && std::isfinite(number->value) && !(value && !positive_number(cell)))
            row.value = number->value;
        else if (row.wrong.empty())
            row.wrong = "Its value is not above zero.";
    }

    const CsvTable& table_;
    std::span<const GivenColumn> given_;
    std::vector<ColumnReading> columns_;
};

}  // namespace

std::int64_t PublishedRow::copies() const {
    if (replicas > 0) return replicas;
    return workers % replica_size() == 0 ? workers / replica_size() : 0;
}

Result<std::vector<PublishedRow>> read_published(const formats::CsvTable& table, std::span<const GivenColumn> given) {
    return PublishedReader(table, given).read();
}

std::vector<GivenColumn> columns_taken(const formats::CsvTable& table, std::span<const GivenColumn> given) {
    const PublishedReader reader(table, given);
    std::vector<GivenColumn> taken;
    for (std::size_t c = 0; c < table.columns(); ++c) {
        const ColumnReading& column = reader.columns()[c];
        std::string means = column.means == "figure" ? column.metric + " in " + column.unit : column.means;
        if (column.means == "figure" && column.each_device) means += ", of one device";
        taken.emplace_back(table.name(c), means.empty() ? "not recognized, kept as a note" : means);
    }
    return taken;
}

const std::string* text_cell(const PublishedRow& row, std::string_view column) {
    for (const TextColumn& c : text_columns)
        if (c.name == column) return &(row.*c.place);
    return nullptr;
}

bool is_fillable_column(std::string_view column) {
    const auto called = [&](const auto& c) { return c.name == column; };
    return column == "tokens" || std::any_of(text_columns.begin(), text_columns.end(), called) ||
           std::any_of(count_columns.begin(), count_columns.end(), called);
}

bool fill_cell(PublishedRow& row, std::string_view column, std::string_view text) {
    for (const TextColumn& c : text_columns)
        if (c.name == column) {
            if (!(row.*c.place).empty()) return false;
            row.*c.place = text;
            return true;
        }
    for (const CountColumn& c : count_columns)
        if (c.name == column) {
            const auto number = whole_number(text, c.most);
            if (row.*c.place != 0 || !number) return false;
            row.*c.place = *number;
            return true;
        }
    if (column != "tokens" || row.tokens > 0) return false;
    row.tokens = positive_number(text).value_or(0.0);
    return row.tokens > 0;
}

void settle_batch(PublishedRow& row) {
    if (row.batch_global == 0 && row.micro_batch == 0) return;
    const std::int64_t copies = row.copies();
    row.accumulation = 1;
    row.batch_per_worker = row.micro_batch;
    if (row.batch_global == 0 || copies == 0 || row.batch_global % copies != 0) return;
    const std::int64_t each = row.batch_global / copies;
    row.batch_per_worker = each;
    if (row.micro_batch > 0 && each >= row.micro_batch && each / row.micro_batch <= limits::repeats) {
        row.batch_per_worker = row.micro_batch;
        row.accumulation = each / row.micro_batch;
    }
}

std::vector<std::string> phrases_of(std::string_view notes) {
    std::vector<std::string> phrases;
    while (!notes.empty()) {
        const auto end = notes.find(';');
        auto phrase = notes.substr(0, end);
        notes = end == std::string_view::npos ? std::string_view() : notes.substr(end + 1);
        while (!phrase.empty() && phrase.front() == ' ') phrase.remove_prefix(1);
        while (!phrase.empty() && phrase.back() == ' ') phrase.remove_suffix(1);
        if (!phrase.empty()) phrases.emplace_back(phrase);
    }
    return phrases;
}

}  // namespace scalescope::measure
