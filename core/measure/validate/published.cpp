// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/published.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/decimal.hpp"
#include "core/base/limits.hpp"
#include "core/formats/json_decoder.hpp"

namespace scalescope::measure {

namespace {

using formats::CsvTable;

struct TextColumn {
    std::string_view name, other_name;
    std::string PublishedRow::*place;
};
constexpr std::array<TextColumn, 12> text_columns{{{"source", {}, &PublishedRow::source},
                                                   {"framework", {}, &PublishedRow::framework},
                                                   {"network", {}, &PublishedRow::network},
                                                   {"device", {}, &PublishedRow::device},
                                                   {"interconnect", {}, &PublishedRow::interconnect},
                                                   {"precision", {}, &PublishedRow::precision},
                                                   {"metric", {}, &PublishedRow::metric},
                                                   {"unit", {}, &PublishedRow::unit},
                                                   {"notes", "note", &PublishedRow::notes},
                                                   {"recompute", {}, &PublishedRow::recompute},
                                                   {"flops_counted", {}, &PublishedRow::flops_counted},
                                                   {"memory_counted", {}, &PublishedRow::memory_counted}}};

/// Whole numbers from 1.
struct CountColumn {
    std::string_view name, other_name;
    std::int64_t PublishedRow::*place;
    std::int64_t most;
};
constexpr std::array<CountColumn, 16> count_columns{
    {{"workers", "gpus", &PublishedRow::workers, limits::workers},
     {"gpus_per_node", {}, &PublishedRow::devices_per_node, limits::workers},
     {"seq", {}, &PublishedRow::sequence, limits::dimension},
     {"batch_per_worker", {}, &PublishedRow::batch_per_worker, limits::batch},
     {"batch_global", {}, &PublishedRow::batch_global, limits::batch},
     {"micro_batch", {}, &PublishedRow::micro_batch, limits::batch},
     {"tp", {}, &PublishedRow::tensor, limits::workers},
     {"pp", {}, &PublishedRow::pipeline, limits::workers},
     {"dp", {}, &PublishedRow::replicas, limits::workers},
     {"interleave", {}, &PublishedRow::interleave, limits::chunks},
     {"layers", {}, &PublishedRow::layers, limits::dimension},
     {"hidden", {}, &PublishedRow::hidden, limits::dimension},
     {"heads", {}, &PublishedRow::heads, limits::dimension},
     {"kv_heads", {}, &PublishedRow::kv_heads, limits::dimension},
     {"feed_forward", {}, &PublishedRow::feed_forward, limits::dimension},
     {"vocab", {}, &PublishedRow::vocabulary, limits::dimension}}};

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

class PublishedReader {
public:
    explicit PublishedReader(const CsvTable& table) : table_(table) {}

    Result<std::vector<PublishedRow>> read() {
        formats::ProblemList problems;
        formats::CsvFields fields(table_, problems);
        network_ = fields.required("network");
        fields.required("device");
        value_ = fields.required("value");
        fields.required("unit");
        if (!table_.column("workers") && !table_.column("gpus")) fields.required("workers");
        if (problems.has_errors()) return fail(problems.take());
        for (std::size_t c = 0; c < text_columns.size(); ++c)
            texts_[c] = column(text_columns[c].name, text_columns[c].other_name);
        for (std::size_t c = 0; c < count_columns.size(); ++c)
            counts_[c] = column(count_columns[c].name, count_columns[c].other_name);
        tokens_ = table_.column("tokens");
        std::vector<PublishedRow> rows;
        for (std::size_t r = 0; r < table_.rows(); ++r) rows.push_back(row(r));
        return rows;
    }

private:
    std::optional<std::size_t> column(std::string_view name, std::string_view other) const {
        const auto found = table_.column(name);
        return found || other.empty() ? found : table_.column(other);
    }

    std::string cell(std::size_t r, std::optional<std::size_t> column) const {
        return column ? std::string(table_.cell(r, *column)) : std::string();
    }

    /// A whole number from 1 to `most`; 0 if the cell is empty or missing.
    std::int64_t count(std::size_t r, std::optional<std::size_t> column, std::int64_t most, PublishedRow& row) const {
        const std::string text = cell(r, column);
        if (text.empty()) return 0;
        if (const auto number = whole_number(text, most)) return *number;
        if (row.wrong.empty())
            row.wrong = formats::quoted(text) + " is no whole number from 1 to " + std::to_string(most) + ".";
        return 0;
    }

    /// The number behind `key` among the phrases, if it is a whole one; 0 otherwise.
    static std::int64_t noted(const PublishedRow& row, std::string_view key, std::int64_t most) {
        for (const std::string& phrase : phrases_of(row.notes)) {
            if (!phrase.starts_with(key)) continue;
            if (const auto number = whole_number(std::string_view(phrase).substr(key.size()), most)) return *number;
        }
        return 0;
    }

    PublishedRow row(std::size_t r) const {
        PublishedRow p;
        p.file = table_.file();
        p.line = table_.at(r, *network_).line;
        for (std::size_t c = 0; c < text_columns.size(); ++c) p.*text_columns[c].place = cell(r, texts_[c]);
        if (p.source.empty()) p.source = p.file;
        for (std::size_t c = 0; c < count_columns.size(); ++c)
            p.*count_columns[c].place = count(r, counts_[c], count_columns[c].most, p);
        p.workers = std::max<std::int64_t>(1, p.workers);
        if (p.sequence == 0) p.sequence = noted(p, "seq_len=", limits::dimension);
        p.accumulation = std::max<std::int64_t>(1, noted(p, "grad_accum=", limits::repeats));
        p.tokens = positive_number(cell(r, tokens_)).value_or(0.0);
        p.has_figures = table_.column("layers").has_value();
        if (table_.column("batch_per_worker"))
            p.batch_global = p.micro_batch = 0;
        else
            settle_batch(p);
        if (const auto value = positive_number(cell(r, value_)))
            p.value = *value;
        else if (p.wrong.empty())
            p.wrong = "Its value is not above zero.";
        return p;
    }

    const CsvTable& table_;
    std::array<std::optional<std::size_t>, text_columns.size()> texts_;
    std::array<std::optional<std::size_t>, count_columns.size()> counts_;
    std::optional<std::size_t> network_, value_, tokens_;
};

}  // namespace

std::int64_t PublishedRow::copies() const {
    if (replicas > 0) return replicas;
    return workers % replica_size() == 0 ? workers / replica_size() : 0;
}

Result<std::vector<PublishedRow>> read_published(const formats::CsvTable& table) {
    return PublishedReader(table).read();
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
