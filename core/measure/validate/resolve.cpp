// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/resolve.hpp"

#include <algorithm>

#include "core/measure/runs/import.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/symbol_fields.hpp"

namespace scalescope::measure {

namespace {

std::string first_line(const Problems& problems) {
    if (problems.empty()) return "It cannot be predicted.";
    const Problem& p = problems.front();
    return p.remedy.empty() ? p.what : p.what + " " + p.remedy;
}

/// Which figure a row has, from its metric and unit; a reason if it is none that a scenario has.
std::string find_metric(const PublishedRow& row, ResolvedRow& resolved) {
    const auto unit = time_unit(row.unit);
    const auto says = [&](std::string_view words) { return row.metric.find(words) != std::string::npos; };
    if (!unit) return "Nothing predicts its unit, " + formats::quoted(row.unit) + ".";
    if (unit->per_second) {
        if (says("inference")) return "Throughput of inference is not predicted.";
        resolved.metric = unit->of_tokens ? PublishedMetric::tokens_per_second : PublishedMetric::samples_per_second;
        if (unit->each_worker) resolved.unit = 1.0 / static_cast<double>(row.workers);
        return {};
    }
    resolved.unit = 1.0 / unit->seconds;
    if (says("forward+backward") || says("total"))
        resolved.metric = PublishedMetric::both_passes;
    else if (says("forward"))
        resolved.metric = PublishedMetric::forward;
    else if (says("backward"))
        resolved.metric = PublishedMetric::backward;
    else if (says("iteration") || says("step"))
        resolved.metric = PublishedMetric::step;
    else
        return "Nothing predicts " + formats::quoted(row.metric) + ".";
    return {};
}

bool unread(const std::vector<std::string>& unverified, std::string_view field) {
    return std::any_of(unverified.begin(), unverified.end(),
                       [&](const std::string& name) { return name.starts_with(field); });
}

}  // namespace

std::shared_ptr<const Network> RowResolver::network(const std::string& id, std::string& reason) {
    auto known = networks_.find(id);
    if (known == networks_.end()) known = networks_.emplace(id, library_.network(id)).first;
    if (known->second) return *known->second;
    reason = first_line(known->second.error());
    return nullptr;
}

ResolvedRow RowResolver::resolve(const PublishedRow& row) {
    ResolvedRow resolved;
    const auto because = [&](std::string why) {
        resolved.scenario.reset();
        resolved.reason = std::move(why);
        return resolved;
    };
    if (!row.wrong.empty()) return because(row.wrong);
    if (auto why = find_metric(row, resolved); !why.empty()) return because(std::move(why));
    if (row.batch_per_worker == 0) return because("The table does not give its batch.");
    const NetworkAlias* named = aliases_.network(row.network);
    std::string why;
    const auto net = network(named ? named->network : row.network, why);
    if (!net) return because(named ? why : "No alias and no preset is called " + formats::quoted(row.network) + ".");
    resolved.tokens_per_sample = named ? named->tokens_per_sample : 1.0;
    const DeviceAlias* device_alias = aliases_.device(row.device);
    const Device* device = library_.catalogue.device(device_alias ? device_alias->device : row.device);
    if (!device) return because("No alias and no device is called " + formats::quoted(row.device) + ".");

    Scenario s;
    s.name = net->name() + " on " + std::to_string(row.workers) + " × " + device->name;
    s.description = "Line " + std::to_string(row.line) + " of " + row.file + ".";
    s.workload.push_back({net, {}, 1, named ? named->network : row.network});
    // Times of passes come from benchmarks that go back to the image and update nothing.
    if (resolved.metric == PublishedMetric::forward || resolved.metric == PublishedMetric::backward ||
        resolved.metric == PublishedMetric::both_passes) {
        s.workload.front().passes.to_data = true;
        s.workload.front().passes.update = false;
    }
    s.training.batch = row.batch_per_worker * row.accumulation;
    s.training.accumulation = row.accumulation;
    if (!row.precision.empty()) {
        const PrecisionAlias* precision = aliases_.precision(row.precision);
        if (!precision) return because("No alias is called " + formats::quoted(row.precision) + " (a precision).");
        s.training.precision = precision->precision;
    }
    s.cluster.device = *device;
    s.cluster.workers = row.workers;
    s.cluster.devices_per_node = std::max<std::int64_t>(1, std::min(row.devices_per_node, row.workers));
    s.cluster.inside = s.cluster.between = Link{};
    if (row.sequence > 0 && symbol_value(s, "sequence"))
        if (const auto set = set_symbol(s, "sequence", row.sequence); !set) return because(first_line(set.error()));
    for (const SettingRule& rule : aliases_.settings) {
        if (!applies(rule, row)) continue;
        for (const auto& [path, text] : rule.set)
            if (const auto set = set_field(s, path, text, library_.catalogue); !set)
                return because("The alias for " + path + " does not fit: " + first_line(set.error()));
        for (const auto& source : rule.sources)
            if (std::find(resolved.sources.begin(), resolved.sources.end(), source) == resolved.sources.end())
                resolved.sources.push_back(source);
    }
    const bool nodes = s.cluster.workers > s.cluster.devices_per_node;
    const std::string nobody_says = "No alias says what link " + formats::quoted(row.interconnect) + " is";
    if (s.cluster.workers > 1 && s.cluster.devices_per_node > 1 && s.cluster.inside.id.empty())
        return because(nobody_says + ".");
    if (nodes && s.cluster.between.id.empty()) return because(nobody_says + " between nodes.");
    if (s.cluster.inside.id.empty()) s.cluster.inside = library_.catalogue.links.front();
    if (s.cluster.between.id.empty()) s.cluster.between = library_.catalogue.links.front();
    resolved.recalled = unread(device->unverified, "peak_tflops." + std::string(name_of(s.training.precision))) ||
                        unread(device->unverified, "memory_bandwidth") ||
                        (row.workers > 1 && unread(s.cluster.inside.unverified, "bandwidth")) ||
                        (nodes && unread(s.cluster.between.unverified, "bandwidth"));
    resolved.scenario = std::move(s);
    return resolved;
}

}  // namespace scalescope::measure
