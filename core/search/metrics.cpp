// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/metrics.hpp"

#include <cmath>
#include <string>

#include "core/base/format.hpp"
#include "core/estimate/utilization.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope::search {
namespace {

constexpr double gigabyte = 1e9, million = 1e6, seconds_per_hour = 3600.0;

// By Metric.
constexpr std::array<MetricInfo, metric_count> metric_table{{
    {"step", "Step", "ms", "ms", "Time of one step.", false},
    {"throughput", "Throughput", "samples/s", "samples_per_s", "Samples that all devices train on in a second.", true},
    {"epoch", "Epoch", "s", "s", "Time for every sample of the data set once.", false},
    {"time", "Time to the goal", "s", "s", "Time to train on as many samples as the goal says.", false},
    {"cost", "Cost", "USD", "usd", "Price of all devices for the time to the goal.", false},
    {"cost_per_hour", "Cost per hour", "USD/h", "usd", "Price of all devices for an hour.", false},
    {"energy", "Energy", "kWh", "kwh", "All devices at their thermal design power for the time to the goal.", false},
    {"power", "Power", "kW", "kw", "Thermal design power of all devices.", false},
    {"speedup", "Speedup", "×", "", "Throughput against that of one device.", true},
    {"efficiency", "Efficiency", "%", "percent", "Speedup over the number of devices.", true},
    {"communication", "Communication", "%", "percent", "Share of the step in which devices wait for messages.", false},
    {"idle", "Idle", "%", "percent", "Share of the step in which the busiest device has nothing to do.", false},
    {"devices", "Devices", "", "", "Devices in use.", false},
    {"batch", "Batch in all", "samples", "samples", "Samples in a step, of all devices together.", false},
    {"memory", "Memory", "GB", "gb", "Peak memory of the fullest device.", false},
    {"parameters", "Parameters", "million", "million", "Weights of the networks.", true},
    {"sequence", "Sequence", "tokens", "tokens", "Tokens of one sample.", true},
}};

std::optional<double> times(const std::optional<double>& value, double factor) {
    return value ? std::optional(*value * factor) : std::nullopt;
}

Seconds time_for(double samples, const Summary& s) {
    return s.step * std::ceil(samples / static_cast<double>(s.batch.effective));
}

}  // namespace

const std::array<MetricInfo, metric_count>& all_metrics() { return metric_table; }
const MetricInfo& info_of(Metric metric) { return metric_table[static_cast<std::size_t>(metric)]; }

std::string noun_of(Metric metric) {
    if (metric == Metric::devices) return "number of devices";
    std::string noun(info_of(metric).label);
    if (noun[0] >= 'A' && noun[0] <= 'Z') noun[0] = static_cast<char>(noun[0] - 'A' + 'a');
    return noun;
}

std::string column_of(Metric metric) {
    const MetricInfo& info = info_of(metric);
    return info.suffix.empty() ? std::string(info.name) : std::string(info.name) + '_' + std::string(info.suffix);
}

std::optional<Metric> metric_named(std::string_view name) {
    for (std::size_t i = 0; i < metric_count; ++i)
        if (metric_table[i].name == name) return static_cast<Metric>(i);
    return std::nullopt;
}

Terms terms_of(const Scenario& scenario, double goal) {
    const auto samples = static_cast<double>(scenario.training.data_set);
    const auto epoch = has_epochs(scenario) ? std::optional(samples) : std::nullopt;
    double parameters = 0;
    for (const auto& part : scenario.workload) parameters += static_cast<double>(part.network->parameters());
    return {
        epoch,      goal > 0 ? goal : samples, worker_price(scenario), worker_watts(scenario), worker_memory(scenario),
        parameters, tokens_of(scenario)};
}

std::optional<double> metric_value(Metric metric, const Terms& terms, const Figures& f) {
    const Summary& s = f.summary;
    const auto workers = static_cast<double>(f.workers), devices = static_cast<double>(f.workers + f.servers);
    switch (metric) {
        case Metric::step: return in_milliseconds(s.step);
        case Metric::throughput: return s.throughput().value;
        case Metric::epoch:
            if (!terms.epoch) return std::nullopt;
            return time_for(*terms.epoch, s).value;
        case Metric::time: return time_for(terms.goal, s).value;
        // In the order of Estimate::epoch_cost, so that both are the same bits.
        case Metric::cost:
            if (!terms.price_per_hour) return std::nullopt;
            return *terms.price_per_hour * devices * time_for(terms.goal, s).value / seconds_per_hour;
        case Metric::cost_per_hour: return times(terms.price_per_hour, devices);
        case Metric::energy:
            if (!terms.power) return std::nullopt;
            return *terms.power * devices * time_for(terms.goal, s).value / (seconds_per_hour * 1000.0);
        case Metric::power: return times(terms.power, devices / 1000.0);
        case Metric::speedup:
            if (!f.baseline) return std::nullopt;
            return speedup(*f.baseline, s);
        case Metric::efficiency:
            if (!f.baseline) return std::nullopt;
            return speedup(*f.baseline, s) / workers * 100.0;
        case Metric::communication: return s.communication / s.step * 100.0;
        case Metric::idle: return s.idle / s.step * 100.0;
        case Metric::devices: return devices;
        case Metric::batch: return static_cast<double>(s.batch.effective);
        case Metric::memory: return f.memory ? std::optional(f.memory->value / gigabyte) : std::nullopt;
        case Metric::parameters: return terms.parameters / million;
        case Metric::sequence: return terms.tokens > 1 ? std::optional(terms.tokens) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<double> metric_value(Metric metric, const Scenario& scenario, const Estimate& e, double goal) {
    return metric_value(metric, terms_of(scenario, goal),
                        {e.point.workers, e.summary, &e.baseline, e.memory.peak,
                         own_servers(scenario, e.point.updates, e.point.workers, e.point.servers)});
}

std::string why_missing(Metric metric, const Scenario& scenario) {
    const Terms terms = terms_of(scenario);
    const std::string& device = worker_name(scenario);
    const bool of_price = metric == Metric::cost || metric == Metric::cost_per_hour,
               of_power = metric == Metric::energy || metric == Metric::power;
    if (metric == Metric::epoch && !terms.epoch) return "The size of the data set is not set.";
    if (of_price && !terms.price_per_hour) return device + " has no price.";
    if (metric == Metric::sequence && terms.tokens <= 1) return "This network reads no tokens.";
    if (of_power && !terms.power) return device + " has no thermal design power.";
    return {};
}

std::string metric_text(Metric metric, double value) {
    const MetricInfo& info = info_of(metric);
    switch (metric) {
        case Metric::step: return format_time(milliseconds(value));
        case Metric::epoch:
        case Metric::time: return format_time(Seconds{value});
        case Metric::speedup: return format_ratio(value);
        case Metric::efficiency:
        case Metric::communication:
        case Metric::idle: return format_percent(Fraction{value / 100.0});
        case Metric::devices: return format_count(static_cast<std::int64_t>(value));
        case Metric::sequence:
            return format_count(static_cast<std::int64_t>(value)) + std::string(no_break_space) +
                   std::string(info.unit);
        case Metric::memory: return format_bytes(Bytes{value * gigabyte});
        case Metric::cost:
        case Metric::cost_per_hour:
        case Metric::energy: return format_number(value, 4, 4) + std::string(no_break_space) + std::string(info.unit);
        default: return format_number(value) + std::string(no_break_space) + std::string(info.unit);
    }
}

}  // namespace scalescope::search
