// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/settled.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/limits.hpp"

namespace scalescope::measure {

namespace {

bool is_open(const PublishedRow& r) { return r.batch > 0 && r.batch_global + r.batch_per_worker == 0; }
bool is_rate_of_samples(const PublishedRow& r) {
    return r.value > 0 && (r.unit == "samples/s" || r.unit == "images/s");
}
/// Samples or tokens per second of all workers; 0 if the row has another figure.
double rate_in(const PublishedRow& r, std::string_view work) {
    if (r.value <= 0 || !r.unit.starts_with(work) || !r.wrong.empty()) return 0;
    const std::string_view rest = std::string_view(r.unit).substr(work.size());
    if (rest == "/s") return r.value;
    return rest == "/s/GPU" && r.workers > 0 ? r.value * static_cast<double>(r.workers) : 0;
}

/// The step time in seconds; 0 if the row has another figure or unit.
double step_seconds(const PublishedRow& r) {
    constexpr double ms_per_second = 1e3;
    if (r.metric != "step" || (r.unit != "s" && r.unit != "ms")) return 0;
    return r.unit == "ms" ? r.value / ms_per_second : r.value;
}

/// Samples per step of all workers (a rate times the step time of the same run) divided by the given batch; 0 if
/// the run lacks one of the two.
double batches_of_step(std::span<const PublishedRow> run) {
    const auto rate = std::find_if(run.begin(), run.end(), [](auto& r) { return is_open(r) && is_rate_of_samples(r); });
    if (rate == run.end()) return 0;
    const auto step = std::find_if(run.begin(), run.end(), [&](auto& r) {
        return r.batch == rate->batch && r.workers == rate->workers && step_seconds(r) > 0;
    });
    return step == run.end() ? 0 : rate->value * step_seconds(*step) / static_cast<double>(rate->batch);
}
/// Whether the batch of most rows is proportional to the number of workers, of which there are several.
bool batch_grows(const std::vector<PublishedRow>& rows) {
    constexpr std::size_t several = 3;
    constexpr double most_off = 0.03, most = 0.75;
    std::vector<std::pair<double, std::int64_t>> shares;  // of the batch of each worker, and their number
    for (const PublishedRow& row : rows)
        if (is_open(row))
            shares.emplace_back(static_cast<double>(row.batch) / static_cast<double>(row.workers), row.workers);
    if (shares.empty()) return false;
    std::sort(shares.begin(), shares.end());
    const double middle = shares[shares.size() / 2].first;
    std::set<std::int64_t> workers;
    std::size_t grown = 0;
    for (const auto& [share, number] : shares) {
        if (std::abs(share / middle - 1) > most_off) continue;
        workers.insert(number);
        ++grown;
    }
    return workers.size() >= several && static_cast<double>(grown) >= most * static_cast<double>(shares.size());
}

}  // namespace

void settle_steps_of_run(std::vector<PublishedRow>& rows, std::size_t from) {
    const std::span<PublishedRow> run(rows.begin() + static_cast<std::ptrdiff_t>(from), rows.end());
    for (PublishedRow& r : run) {
        const auto alike = [&](const PublishedRow& o) { return o.workers == r.workers && o.precision == r.precision; };
        const auto step = std::find_if(run.begin(), run.end(), [&](const PublishedRow& o) {
            return alike(o) && !o.unit_assumed && step_seconds(o) > 0;
        });
        if (step == run.end()) continue;
        r.step_seconds = step_seconds(*step);
        const auto of_step = [&](std::string_view work) -> std::int64_t {
            for (const PublishedRow& o : run)
                if (const double rate = alike(o) ? rate_in(o, work) : 0; rate > 0)
                    return std::llround(std::min(rate * r.step_seconds, static_cast<double>(limits::batch)));
            return 0;
        };
        const std::int64_t tokens = of_step("tokens"), samples = std::max(of_step("samples"), of_step("images"));
        r.batch_derived = r.batch + r.batch_global + r.batch_per_worker + r.batch_tokens == 0 && samples + tokens > 0;
        if (r.batch_derived) (samples > 0 ? r.batch_global : r.batch_tokens) = samples > 0 ? samples : tokens;
    }
}

void drop_open(std::vector<PublishedRow>& rows, std::size_t from) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(from);
    const auto is_endless = [](const PublishedRow& r) {
        return (r.metric == "training_time" || r.metric == "device_time") && r.steps + r.epochs == 0 && r.tokens == 0;
    };
    if (!std::all_of(begin, rows.end(), is_endless))
        rows.erase(std::remove_if(begin, rows.end(), is_endless), rows.end());
}

void settle_steps(std::vector<PublishedRow>& rows, std::size_t from) {
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

void settle_whose_batch(std::vector<PublishedRow>& rows) {
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

}  // namespace scalescope::measure
