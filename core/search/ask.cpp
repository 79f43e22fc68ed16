// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/ask.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/decimal.hpp"
#include "core/base/listed.hpp"
#include "core/estimate/utilization.hpp"
#include "core/formats/named_settings.hpp"
#include "core/scenario/hardware.hpp"
#include "core/search/best_mesh.hpp"

namespace scalescope::search {
namespace {

constexpr double trillion = 1e12;
constexpr std::string_view sequence_path = "symbols.sequence";

// By Ask.
constexpr std::array<AskInfo, ask_count> asks{{
    {"fastest-mesh", "The fastest mesh", "The fastest mesh on [devices] × [device]"},
    {"fewest-devices", "The fewest devices that finish in time",
     "The fewest [device] that train [goal] in [days] days"},
    {"cheapest", "The cheapest cluster that finishes in time",
     "The cheapest cluster that trains [goal] in [days] days"},
    {"which-device", "The fastest kind of device", "The kind of device that trains [goal] fastest, [devices] of it"},
    {"longest-sequence", "The longest sequence that fits", "The longest sequence that fits on [devices] × [device]"},
    {"largest-network", "The largest network that fits", "The largest network that fits on [devices] × [device]"},
}};

using DeviceCounts = std::vector<std::int64_t>;

/// 1, 2, 4 … devices of a node, then nodes: 1, 2, 3, 4, 6, 8, 12 …
DeviceCounts usual_counts(const Scenario& s, bool between_powers) {
    constexpr std::int64_t most = 16'384;
    const std::int64_t node = s.cluster.devices_per_node;
    DeviceCounts counts;
    for (std::int64_t n = 1; n < node; n *= 2) counts.push_back(n);
    for (std::int64_t nodes = 1; nodes * node <= most; nodes *= 2) {
        counts.push_back(nodes * node);
        if (const std::int64_t half_more = nodes / 2 * 3 * node; between_powers && nodes > 1 && half_more <= most)
            counts.push_back(half_more);
    }
    return counts;
}

std::string written(const std::vector<std::string>& values) {
    std::string text;
    for (const std::string& v : values) {
        std::string entry = v;
        std::replace(entry.begin(), entry.end(), ',', '+');  // a list of layers
        text += (text.empty() ? "" : ",") + entry;
    }
    return text;
}
std::string written(const DeviceCounts& counts) {
    std::vector<std::string> texts;
    for (const std::int64_t n : counts) texts.push_back(std::to_string(n));
    return written(texts);
}

/// Networks of the library of the same kind: they read tokens as the scenario's does, or images as it does.
std::string networks_like(const Scenario& scenario, const formats::Library& library) {
    const bool tokens = counts_tokens(scenario);
    std::string ids;
    for (const auto& preset : library.networks) {
        Scenario other = scenario;
        if (!formats::set_by_name(other, "network", preset.id, library)) continue;
        if (counts_tokens(other) == tokens) ids += (ids.empty() ? "" : ",") + preset.id;
    }
    return ids;
}

/// Clusters whose devices have a price, as large as one likes.
std::string priced_clusters(const formats::Library& library) {
    std::vector<std::string> ids;
    for (const ClusterPreset& c : library.catalogue.clusters)
        if (const Device* d = library.catalogue.device(c.device); d && d->price_per_hour && !c.nodes)
            ids.push_back(c.id);
    return written(ids);
}

}  // namespace

const std::array<AskInfo, ask_count>& all_asks() { return asks; }

std::optional<Ask> ask_named(std::string_view name) {
    for (std::size_t i = 0; i < ask_count; ++i)
        if (asks[i].name == name) return static_cast<Ask>(i);
    return std::nullopt;
}

bool counts_tokens(const Scenario& scenario) { return scenario.workload.size() == 1 && tokens_of(scenario) > 1; }

AskNumbers usual_numbers(const Scenario& scenario) {
    const auto samples = static_cast<double>(scenario.training.data_set);
    AskNumbers numbers;
    numbers.devices = scenario.cluster.workers;
    if (counts_tokens(scenario)) {
        const double tokens = samples * tokens_of(scenario) / trillion,
                     digits = std::pow(10, 2 - std::ceil(std::log10(tokens)));
        numbers.goal = std::round(tokens * digits) / digits;
    }
    return numbers;
}

bool suits(Ask ask, const Scenario& scenario) {
    if (!scenario.network()) return false;
    switch (ask) {
        case Ask::fastest_mesh:
        case Ask::largest_network: return has_mesh(scenario);
        case Ask::fewest_devices:
        case Ask::cheapest:
        case Ask::which_device: return !is_cpu_cluster(scenario);
        case Ask::longest_sequence: return has_mesh(scenario) && symbol_value(scenario, "sequence").has_value();
    }
    return false;
}

std::optional<Ask> first_ask(const Scenario& scenario) {
    if (suits(Ask::fastest_mesh, scenario) && counts_tokens(scenario)) return Ask::fastest_mesh;
    return std::nullopt;
}

Asked asked_by(Ask ask, const AskNumbers& numbers, const Scenario& scenario, const formats::Library& library) {
    Asked asked;
    asked.ask = ask;
    asked.numbers = numbers;
    const auto vary = [&](std::string_view path, std::string values) {
        asked.vary.push_back({std::string(path), std::move(values)});
    };
    DeviceCounts counts{numbers.devices};
    Scenario base = scenario;
    base.cluster.workers = numbers.devices;
    switch (ask) {
        case Ask::fastest_mesh: break;
        case Ask::fewest_devices: counts = usual_counts(scenario, true); break;
        case Ask::cheapest:
            counts = usual_counts(scenario, false);
            vary("cluster", priced_clusters(library));
            break;
        case Ask::which_device: vary("cluster.device", usual_values("cluster.device", scenario, library)); break;
        case Ask::longest_sequence: {
            std::int64_t longest = 1 << 24;  // or what the network takes
            while (longest > 1024 && !set_symbol(base, "sequence", longest)) longest /= 2;
            vary(sequence_path, "1024.." + std::to_string(longest) + "*2");
            break;
        }
        case Ask::largest_network: vary("network", networks_like(scenario, library)); break;
    }
    if (counts.size() > 1 || counts.front() != scenario.cluster.workers) vary("cluster.workers", written(counts));
    if (has_mesh(scenario))
        for (const Axis& axis : mesh_axes(base, counts, ask == Ask::fastest_mesh ? Fineness::fine : Fineness::coarse))
            vary(axis.path, written(axis.values));
    if (counts_tokens(scenario)) {
        asked.goal_in_epochs = false;
        asked.goal = std::round(numbers.goal * trillion / tokens_of(scenario));
    } else {
        asked.goal = numbers.goal;
    }
    if (ask == Ask::fewest_devices || ask == Ask::cheapest)
        asked.where.push_back("time <= " + shortest_decimal(numbers.days) + " d");
    switch (ask) {
        case Ask::fastest_mesh:
        case Ask::which_device: break;
        case Ask::fewest_devices: asked.objectives = {Metric::devices, Metric::time}; break;
        case Ask::cheapest: asked.objectives = {Metric::cost, Metric::time}; break;
        case Ask::longest_sequence: asked.objectives = {Metric::sequence, Metric::throughput}; break;
        case Ask::largest_network: asked.objectives = {Metric::parameters, Metric::throughput}; break;
    }
    return asked;
}

}  // namespace scalescope::search
