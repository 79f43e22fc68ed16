// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/metrics.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "core/base/decimal.hpp"
#include "core/base/name_list.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/measure/runs/import.hpp"
#include "core/words/pieces.hpp"
#include "core/words/table_words.hpp"

namespace scalescope::measure {

namespace {

enum class UnitOf { rate, steps, time, flops, share, memory, device_time };

/// A unit as tables spell it. `per_si`: how many of it make one of SI's.
struct UnitWord {
    std::string_view spelled;
    UnitOf of;
    double per_si;
};
constexpr std::array<UnitWord, 16> unit_words{{{"FLOP/s", UnitOf::flops, 1},
                                               {"GFLOP/s", UnitOf::flops, 1e-9},
                                               {"TFLOP/s", UnitOf::flops, 1e-12},
                                               {"TFLOPS", UnitOf::flops, 1e-12},
                                               {"TFLOPs", UnitOf::flops, 1e-12},
                                               {"PFLOP/s", UnitOf::flops, 1e-15},
                                               {"%", UnitOf::share, 100},
                                               {"share", UnitOf::share, 1},
                                               {"MiB", UnitOf::memory, 1.0 / 1048576.0},
                                               {"GiB", UnitOf::memory, 1.0 / 1073741824.0},
                                               {"MB", UnitOf::memory, 1e-6},
                                               {"GB", UnitOf::memory, 1e-9},
                                               {"GPU-h", UnitOf::device_time, 1.0 / 3600.0},
                                               {"GPU-hours", UnitOf::device_time, 1.0 / 3600.0},
                                               {"GPU-days", UnitOf::device_time, 1.0 / 86400.0},
                                               {"chip-h", UnitOf::device_time, 1.0 / 3600.0}}};

/// A metric by words in its name and its unit: the first that fits counts. With a reason it is not predicted.
struct MetricWord {
    UnitOf of;
    std::string_view words;
    PublishedMetric metric;
    std::string_view reason;
};
using M = PublishedMetric;
constexpr std::array<MetricWord, 18> metric_words{
    {{UnitOf::rate, "inference", M::samples_per_second, "Throughput of inference is not predicted."},
     {UnitOf::rate, "", M::samples_per_second, {}},
     {UnitOf::steps, "", M::steps_per_second, {}},
     {UnitOf::time, "time_to_train", M::training_time, {}},
     {UnitOf::time, "train_days", M::training_time, {}},
     {UnitOf::time, "training_time", M::training_time, {}},
     {UnitOf::time, "epoch", M::epoch, {}},
     {UnitOf::time, "forward+backward", M::both_passes, {}},
     {UnitOf::time, "total", M::both_passes, {}},
     {UnitOf::time, "forward", M::forward, {}},
     {UnitOf::time, "backward", M::backward, {}},
     {UnitOf::time, "iteration", M::step, {}},
     {UnitOf::time, "step", M::step, {}},
     {UnitOf::flops, "flop", M::flop_rate, {}},
     {UnitOf::share, "mfu", M::model_utilization, {}},
     {UnitOf::share, "hfu", M::hardware_utilization, {}},
     {UnitOf::memory, "peak_memory", M::peak_memory, {}},
     {UnitOf::device_time, "", M::device_time, {}}}};

constexpr std::array<std::string_view, 3> each_device_words{"per_gpu", "per_chip", "per_device"};

bool says(const PublishedRow& row, std::string_view words) { return row.metric.find(words) != std::string::npos; }

/// "FLOPs counted with the recompute formula", but not "FLOPs counted without recomputation".
bool counts_recomputation(const PublishedRow& row) {
    for (const std::string& phrase : phrases_of(row.notes)) {
        const auto pieces = pieces_of(phrase);
        const PieceMatcher has(pieces);
        const auto any = [&](std::initializer_list<std::string_view> words) {
            return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return has.find(word); });
        };
        if (any({"flop", "tflop"}) && any({"counted", "counting", "counts", "including", "include"}) &&
            any({"recompute", "recomputed", "recomputation"}) && !any({"without", "not", "no", "excluding", "except"}))
            return true;
    }
    return false;
}

/// "train_days_300B_tokens" → 300e9; 0 if the metric does not say.
double tokens_in_name(std::string_view metric) {
    const auto end = metric.find("B_tokens");
    if (end == std::string_view::npos) return 0;
    const auto digits = metric.substr(0, end);
    const auto number = parse_decimal(digits.substr(digits.rfind('_') + 1));
    return number && *number > 0 ? *number * 1e9 : 0;
}

/// "tokens/s", "k samples/min".
std::optional<UnitOf> rate_unit(std::string_view text, double share, Measured& measured, bool& of_tokens) {
    double scale = 1;
    for (const auto& [prefix, factor] : {std::pair("k ", 1e3), std::pair("M ", 1e6)})
        if (text.starts_with(prefix)) text.remove_prefix(2), scale = factor;
    const auto per = text.find('/');
    const auto work = text.substr(0, per);
    const auto time = per == std::string_view::npos ? std::nullopt : time_unit(text.substr(per + 1));
    if (!time || time->per_second || !is_among(work, "tokens samples images steps")) return std::nullopt;
    of_tokens = work == "tokens";
    measured.unit = time->seconds / scale * (work == "steps" ? 1.0 : share);
    return work == "steps" ? UnitOf::steps : UnitOf::rate;
}

std::optional<UnitOf> find_unit(const PublishedRow& row, Measured& measured, bool& of_tokens) {
    std::string_view text = row.unit;
    bool each = false;
    for (const std::string_view ending : {"/GPU", "/gpu", "/worker", "/chip"})
        if (text.ends_with(ending)) {
            text.remove_suffix(ending.size());
            each = true;
        }
    for (const std::string_view words : each_device_words) each = each || says(row, words);
    measured.each_device = each;
    const double share = each ? 1.0 / static_cast<double>(row.workers) : 1.0;
    for (const UnitWord& word : unit_words)
        if (word.spelled == text) {
            measured.unit = word.per_si * (word.of == UnitOf::flops ? share : 1.0);
            if (word.of == UnitOf::share) measured.each_device = true;
            return word.of;
        }
    if (const auto of = rate_unit(text, share, measured, of_tokens)) return of;
    const auto unit = time_unit(row.unit);
    if (!unit) return std::nullopt;
    if (unit->of_steps) return UnitOf::steps;
    if (!unit->per_second) {
        measured.unit = 1.0 / unit->seconds;
        return UnitOf::time;
    }
    measured.unit = share;
    of_tokens = unit->of_tokens;
    return UnitOf::rate;
}

}  // namespace

bool is_memory(PublishedMetric metric) {
    return metric == M::peak_memory || metric == M::reserved_memory || metric == M::allocated_memory;
}

bool counts_flops(PublishedMetric metric) {
    return metric == M::flop_rate || metric == M::model_utilization || metric == M::hardware_utilization;
}

bool is_training_time(PublishedMetric metric) { return metric == M::training_time || metric == M::device_time; }

bool is_rate(PublishedMetric metric) {
    return metric == M::samples_per_second || metric == M::tokens_per_second || metric == M::steps_per_second ||
           counts_flops(metric);
}

namespace {

/// Nothing if neither the unit nor the metric is known; otherwise the reason, which is empty if it can be predicted.
std::optional<std::string> find_as_written(const PublishedRow& row, Measured& measured) {
    bool of_tokens = false;
    const auto unit = find_unit(row, measured, of_tokens);
    if (!unit) return std::nullopt;
    for (const MetricWord& word : metric_words) {
        if (word.of != *unit || !says(row, word.words)) continue;
        if (!word.reason.empty()) return std::string(word.reason);
        measured.metric = of_tokens ? M::tokens_per_second : word.metric;
        if (word.metric == M::peak_memory && (row.memory_counted == "reserved" || says(row, "reserved")))
            measured.metric = M::reserved_memory;
        if (word.metric == M::peak_memory && (row.memory_counted == "allocated" || says(row, "allocated")))
            measured.metric = M::allocated_memory;
        measured.hardware_flops = row.flops_counted == "hardware" || says(row, "hardware") ||
                                  (row.flops_counted.empty() && counts_recomputation(row));
        measured.training_tokens = row.tokens > 0 ? row.tokens : tokens_in_name(row.metric);
        measured.epoch_samples = static_cast<double>(row.samples);
        measured.training_steps = static_cast<double>(row.steps);
        measured.training_samples = static_cast<double>(row.epochs) * measured.epoch_samples;
        if (measured.metric == M::epoch && row.samples == 0)
            return "The table does not say how many samples an epoch has; add a column dataset_size or dataset.";
        if (is_training_time(measured.metric) &&
            measured.training_tokens + measured.training_steps + measured.training_samples == 0)
            return "The table does not say for how long the network is trained; add a column steps, tokens, or epochs "
                   "and "
                   "dataset_size.";
        return std::string();
    }
    return std::nullopt;
}

}  // namespace

std::string find_metric(const PublishedRow& row, Measured& measured) {
    PublishedRow usual = row;
    ColumnReading read = read_figure(row.unit);
    if (read.metric == "throughput") usual.unit = read.unit + (read.each_device ? "/GPU" : "");  // "tok/s"
    if (const auto why = find_as_written(usual, measured)) return *why;
    constexpr double least = 0.3;  // of the words
    if (ColumnReading both = read_figure(row.metric + ' ' + row.unit, least); !both.means.empty())
        read = std::move(both);
    usual.metric = read.metric, usual.unit = read.unit + (read.each_device ? "/GPU" : "");
    if (says(row, "hardware")) usual.flops_counted = "hardware";
    for (const std::string_view counted : {"allocated", "reserved"})
        if (says(row, counted)) usual.memory_counted = counted;
    const auto why = read.means.empty() ? std::nullopt : find_as_written(usual, measured);
    return why.value_or("Nothing predicts " + formats::quoted(row.metric) + " in " + formats::quoted(row.unit) + ".");
}

FlopsPerSecond fastest(const Device& device, Precision precision) {
    FlopsPerSecond most{0};
    for (const Precision p : {Precision::fp32, Precision::tf32, Precision::fp16, Precision::bf16, precision})
        most = std::max(most, device.peak_at(p).value_or(most));
    return most;
}

double least_utilization(const Measured& m, const Scenario& scenario, const Estimate& estimate, double value) {
    if (is_memory(m.metric) || m.metric == M::forward || m.metric == M::backward) return 0;
    const double predicted = figure_of(m, scenario, estimate),
                 faster = is_rate(m.metric) ? value / predicted : predicted / value,
                 step = estimate.summary.step.value / faster;
    const double flops = 2 * m.counted.forward.value - m.counted.attention.value,
                 peak = fastest(scenario.cluster.device, scenario.training.precision).value;
    return flops * static_cast<double>(estimate.summary.batch.effective) /
           (peak * static_cast<double>(scenario.cluster.workers) * step);
}

double figure_of(const Measured& m, const Scenario& scenario, const Estimate& estimate) {
    const Summary& s = estimate.summary;
    const double samples = static_cast<double>(s.batch.effective),
                 devices = static_cast<double>(scenario.cluster.workers);
    const auto utilization = [&](Flops of_sample) {
        return Seconds{of_sample / m.peak * samples / devices} / s.step * m.unit;
    };
    switch (m.metric) {
        case M::samples_per_second: return estimate.throughput.value * m.unit;
        case M::tokens_per_second: return estimate.throughput.value * m.tokens_per_sample * m.unit;
        case M::steps_per_second: return m.unit / s.step.value;
        case M::forward: return s.forward.value * m.unit;
        case M::backward: return s.backward.value * m.unit;
        case M::both_passes: return (s.forward + s.backward).value * m.unit;
        case M::step: return s.step.value * m.unit;
        case M::flop_rate: {
            const Flops each =
                m.hardware_flops ? hardware_flops(m.counted, scenario.parallelism.recompute) : model_flops(m.counted);
            return each.value * samples / s.step.value * m.unit;
        }
        case M::model_utilization: return utilization(model_flops_by_parameters(m.counted, m.tokens_per_sample));
        case M::hardware_utilization:
            return utilization(
                hardware_flops_by_parameters(m.counted, m.tokens_per_sample, scenario.parallelism.recompute));
        case M::peak_memory: return estimate.memory.peak.value * m.unit;
        case M::reserved_memory: return estimate.memory.reserved().value * m.unit;
        case M::allocated_memory: return estimate.memory.allocated().value * m.unit;
        case M::epoch: return m.epoch_samples / estimate.throughput.value * m.unit;
        case M::training_time:
        case M::device_time: {
            const double steps = m.training_steps > 0     ? m.training_steps
                                 : m.training_samples > 0 ? m.training_samples / samples
                                                          : m.training_tokens / (samples * m.tokens_per_sample);
            return steps * s.step.value * (m.metric == M::device_time ? devices : 1.0) * m.unit;
        }
    }
    return 0.0;
}

}  // namespace scalescope::measure
