// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/clusters.hpp"

#include <algorithm>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"

namespace scalescope {
namespace {

/// Everything but the number of workers.
void take_parts(const ClusterPreset& preset, const Catalogue& catalogue, Cluster& cluster) {
    if (const Device* d = catalogue.device(preset.device)) cluster.device = *d;
    if (const Link* l = catalogue.link(preset.inside)) cluster.inside = *l;
    if (const Link* l = catalogue.link(preset.between)) cluster.between = *l;
    cluster.devices_per_node = preset.devices_per_node;
    cluster.nics_per_node = preset.nics_per_node;
}

/// The link of that kind that is built like `present`: with switches, or without.
const Link* link_like(const Link& present, const std::string& kind, const Catalogue& catalogue) {
    const auto switched = [](const Link& l) { return l.name.find("NVSwitch") != std::string::npos; };
    const Link* found = nullptr;
    for (const Link& l : catalogue.links) {
        if (!is_of_kind(l, kind)) continue;
        if (switched(l) == switched(present)) return &l;
        if (found == nullptr) found = &l;
    }
    return found;
}

bool fits(const ClusterPreset& preset, const Catalogue& catalogue, const Cluster& cluster) {
    if (preset.nodes && ceil_div(cluster.workers, cluster.devices_per_node) > *preset.nodes) return false;
    Cluster as_built = cluster;
    take_parts(preset, catalogue, as_built);
    return as_built == cluster;
}

}  // namespace

Cluster built_as(const ClusterPreset& preset, const Catalogue& catalogue, Cluster cluster) {
    take_parts(preset, catalogue, cluster);
    const std::int64_t most = limits::workers / preset.devices_per_node;
    const std::int64_t nodes = ceil_div(cluster.workers, preset.devices_per_node);
    cluster.workers = std::min({nodes, most, preset.nodes.value_or(most)}) * preset.devices_per_node;
    return cluster;
}

bool is_link_of_others(const Link& link, const Device& device, const Catalogue& catalogue) {
    return !is_of_kind(link, device.peer_link) &&
           std::any_of(catalogue.devices.begin(), catalogue.devices.end(),
                       [&](const Device& other) { return is_of_kind(link, other.peer_link); });
}

Cluster with_device(Cluster cluster, const Device& device, const Catalogue& catalogue) {
    cluster.device = device;
    if (!is_link_of_others(cluster.inside, device, catalogue)) return cluster;
    const Link* own = link_like(cluster.inside, device.peer_link, catalogue);
    if (own == nullptr) own = link_like(cluster.inside, device.host_link, catalogue);
    if (own != nullptr) cluster.inside = *own;
    return cluster;
}

Scenario on_cpu_cluster(Scenario scenario, const Catalogue& catalogue) {
    scenario.model.method = Method::cpu_cluster;
    if (scenario.cluster.has_machine() || catalogue.machines.empty()) return scenario;
    const CpuMachine* adam = catalogue.machine("adam-like");
    scenario.cluster.machine = adam ? *adam : catalogue.machines.front();
    return scenario;
}

const ClusterPreset* preset_of(const Cluster& cluster, const Catalogue& catalogue) {
    for (const bool own : {true, false})
        for (const ClusterPreset& p : catalogue.clusters)
            if (catalogue.owns(p) == own && fits(p, catalogue, cluster)) return &p;
    return nullptr;
}

}  // namespace scalescope
