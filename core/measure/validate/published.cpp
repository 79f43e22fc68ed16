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

class PublishedReader {
public:
    explicit PublishedReader(const CsvTable& table) : table_(table) {}

    Result<std::vector<PublishedRow>> read() {
        formats::ProblemList problems;
        formats::CsvFields fields(table_, problems);
        network_ = fields.required("network");
        device_ = fields.required("device");
        value_ = fields.required("value");
        unit_ = fields.required("unit");
        workers_ = fields.optional("workers");
        if (!workers_) workers_ = fields.optional("gpus");
        if (!workers_) workers_ = fields.required("workers");
        if (problems.has_errors()) return fail(problems.take());
        for (const auto& [name, place] : texts_) columns_.push_back(fields.optional(name));
        notes_ = fields.optional("notes");
        if (!notes_) notes_ = fields.optional("note");
        per_node_ = fields.optional("gpus_per_node");
        batch_ = fields.optional("batch_per_worker");
        global_ = fields.optional("batch_global");
        micro_ = fields.optional("micro_batch");
        sequence_ = fields.optional("seq");
        tensor_ = fields.optional("tp");
        pipeline_ = fields.optional("pp");
        std::vector<PublishedRow> rows;
        for (std::size_t r = 0; r < table_.rows(); ++r) rows.push_back(row(r));
        return rows;
    }

private:
    struct Text {
        std::string_view name;
        std::string PublishedRow::*place;
    };
    static constexpr std::array<Text, 5> texts_{{{"source", &PublishedRow::source},
                                                 {"framework", &PublishedRow::framework},
                                                 {"interconnect", &PublishedRow::interconnect},
                                                 {"precision", &PublishedRow::precision},
                                                 {"metric", &PublishedRow::metric}}};

    std::string cell(std::size_t r, std::optional<std::size_t> column) const {
        return column ? std::string(table_.cell(r, *column)) : std::string();
    }

    /// A whole number from 1 to `most`; 0 if the cell is empty or missing.
    std::int64_t count(std::size_t r, std::optional<std::size_t> column, std::int64_t most, PublishedRow& row) const {
        const std::string text = cell(r, column);
        if (text.empty()) return 0;
        const auto number = parse_decimal(text);
        if (number && *number >= 1 && *number <= static_cast<double>(most) && std::floor(*number) == *number)
            return static_cast<std::int64_t>(*number);
        if (row.wrong.empty())
            row.wrong = formats::quoted(text) + " is no whole number from 1 to " + std::to_string(most) + ".";
        return 0;
    }

    /// The number behind `key` among the phrases, if it is a whole one; 0 otherwise.
    static std::int64_t noted(const PublishedRow& row, std::string_view key, std::int64_t most) {
        for (const std::string& phrase : phrases_of(row.notes)) {
            if (!phrase.starts_with(key)) continue;
            const auto number = parse_decimal(std::string_view(phrase).substr(key.size()));
            if (number && *number >= 1 && *number <= static_cast<double>(most) && std::floor(*number) == *number)
                return static_cast<std::int64_t>(*number);
        }
        return 0;
    }

    PublishedRow row(std::size_t r) const {
        PublishedRow p;
        p.file = table_.file();
        p.line = table_.at(r, *network_).line;
        p.network = cell(r, network_);
        p.device = cell(r, device_);
        p.unit = cell(r, unit_);
        p.notes = cell(r, notes_);
        for (std::size_t t = 0; t < texts_.size(); ++t) p.*texts_[t].place = cell(r, columns_[t]);
        if (p.source.empty()) p.source = p.file;
        p.workers = std::max<std::int64_t>(1, count(r, workers_, limits::workers, p));
        p.devices_per_node = std::max<std::int64_t>(1, count(r, per_node_, limits::workers, p));
        p.sequence = count(r, sequence_, limits::dimension, p);
        if (p.sequence == 0) p.sequence = noted(p, "seq_len=", limits::dimension);
        p.accumulation = std::max<std::int64_t>(1, noted(p, "grad_accum=", limits::repeats));
        p.batch_per_worker = count(r, batch_, limits::batch, p);
        if (!batch_) split_global(r, p);
        const auto value = parse_decimal(cell(r, value_));
        if (value && *value > 0 && std::isfinite(*value))
            p.value = *value;
        else if (p.wrong.empty())
            p.wrong = "Its value is not above zero.";
        if (p.wrong.empty() &&
            (count(r, tensor_, limits::workers, p) > 1 || count(r, pipeline_, limits::workers, p) > 1))
            p.wrong = "Layers split over devices by tensor or pipeline parallelism are not predicted yet.";
        return p;
    }

    /// The batch of one update of all workers, in micro-steps of `micro_batch` if that is given.
    void split_global(std::size_t r, PublishedRow& p) const {
        const std::int64_t all = count(r, global_, limits::batch, p), micro = count(r, micro_, limits::batch, p);
        if (all == 0 || all % p.workers != 0) {
            p.batch_per_worker = micro;
            return;
        }
        const std::int64_t each = all / p.workers;
        p.batch_per_worker = each;
        if (micro > 0 && each % micro == 0 && each / micro <= limits::repeats) {
            p.batch_per_worker = micro;
            p.accumulation = each / micro;
        }
    }

    const CsvTable& table_;
    std::vector<std::optional<std::size_t>> columns_;
    std::optional<std::size_t> network_, device_, value_, unit_, workers_, notes_, per_node_, batch_, global_, micro_,
        sequence_, tensor_, pipeline_;
};

}  // namespace

Result<std::vector<PublishedRow>> read_published(const formats::CsvTable& table) {
    return PublishedReader(table).read();
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
