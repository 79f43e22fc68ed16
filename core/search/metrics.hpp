// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/estimate/estimate.hpp"

/// Searching the design space: what a configuration is judged by, the space, and the best of it.
namespace scalescope::search {

/// What a configuration is judged by: an objective, or the left side of a constraint.
enum class Metric : std::uint8_t {
    step,
    throughput,
    epoch,
    time,
    cost,
    cost_per_hour,
    energy,
    power,
    speedup,
    efficiency,
    communication,
    idle,
    devices,
    batch,
    memory,
    parameters,
    sequence
};
inline constexpr std::size_t metric_count = 17;

struct MetricInfo {
    std::string_view name;    ///< as the command line has it
    std::string_view label;   ///< as people say it: "Time to the goal"
    std::string_view unit;    ///< of metric_value(): "s", "USD", "%"; empty for counts and ratios
    std::string_view suffix;  ///< the unit in the name of a column: "samples_per_s"; empty if there is none
    std::string_view text;    ///< one sentence on what it is
    bool larger_is_better = false;
};

/// By Metric.
const std::array<MetricInfo, metric_count>& all_metrics();
const MetricInfo& info_of(Metric metric);
/// Its label inside a sentence: "time to the goal".
std::string noun_of(Metric metric);
/// With its unit, as the name of a column: "cost_usd".
std::string column_of(Metric metric);
std::optional<Metric> metric_named(std::string_view name);

/// What metrics need of a scenario beside a Summary; the same for all points of one plan.
struct Terms {
    std::optional<double> epoch;           ///< samples of the data set; nothing where has_epochs() says no
    double goal = 1;                       ///< samples to train on
    std::optional<double> price_per_hour;  ///< of one device, US dollars
    std::optional<double> power;           ///< of one device, W: its TDP
    std::optional<Bytes> memory;           ///< of one device
    double parameters = 0;                 ///< of the networks, shared ones once
    double tokens = 1;                     ///< of one sample; 1 for a network that reads no tokens
    bool operator==(const Terms&) const = default;
};
/// `goal` 0 is one epoch.
Terms terms_of(const Scenario& scenario, double goal = 0);

/// What one scored point offers to the metrics. Baseline and memory may be left out where no metric asks for them.
struct Figures {
    std::int64_t workers = 1;
    Summary summary;
    const Summary* baseline = nullptr;  ///< one worker
    std::optional<Bytes> memory;        ///< of the fullest device
    std::int64_t servers = 0;           ///< machines that serve parameters alone: as dear as a worker
};

/// The metric in its unit; nothing where the scenario lacks a figure (a price, a TDP), or `figures` does. Steps are
/// whole: the time to a goal of N samples is ⌈N / batch⌉ steps. Cost and energy count every device for the whole time,
/// at its price and its TDP (an upper bound: no device draws more; hosts and switches are not in it).
std::optional<double> metric_value(Metric metric, const Terms& terms, const Figures& figures);
/// The same of an estimate.
std::optional<double> metric_value(Metric metric, const Scenario& scenario, const Estimate& estimate, double goal = 0);

/// Why the metric has no value: "Tesla K40 has no price." Empty if it has one.
std::string why_missing(Metric metric, const Scenario& scenario);

/// The metric with its unit, as people read it: "1.42 h", "12.3 USD", "87.5 %".
std::string metric_text(Metric metric, double value);

/// What an answer does not have, and why.
struct LeftOut {
    std::string path;    ///< of the field; empty if it is not a field
    std::string label;   ///< "Latency inside a node"
    std::string reason;  ///< a sentence
    bool operator==(const LeftOut&) const = default;
};

}  // namespace scalescope::search
