// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/base/decimal.hpp"
#include "core/measure/validate/columns.hpp"

namespace scalescope::measure {

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

std::int64_t PublishedRow::copies() const {
    if (replicas > 0) return replicas;
    return workers % replica_size() == 0 ? workers / replica_size() : 0;
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
    // A batch "per GPU" whose sum over all devices is the global batch, though several devices share a sample.
    if (row.replica_size() > 1 && row.batch_global > 0 && row.batch_per_worker * row.workers == row.batch_global)
        row.batch_per_worker = 0;
    if (row.batch_per_worker > 0) {  // of one replica, whatever else is given
        const bool in_steps = row.micro_batch > 0 && row.batch_per_worker % row.micro_batch == 0;
        if (in_steps && row.accumulation == 1 && row.batch_per_worker / row.micro_batch <= limits::repeats) {
            row.accumulation = row.batch_per_worker / row.micro_batch;
            row.batch_per_worker = row.micro_batch;
        }
        row.batch_global = row.micro_batch = 0;
        return;
    }
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
