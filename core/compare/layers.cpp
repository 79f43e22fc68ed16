// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/layers.hpp"

#include <string_view>
#include <unordered_map>

namespace scalescope::compare {
namespace {

const Network& network_of(const Scenario& s, const LayerEstimate& e) {
    return *s.workload[static_cast<std::size_t>(e.part)].network;
}

std::string_view name_of_layer(const Scenario& s, const LayerEstimate& e) {
    return network_of(s, e).layers()[static_cast<std::size_t>(e.position)].name;
}

}  // namespace

std::vector<const LayerEstimate*> counterparts(const Scenario& scenario, const Estimate& estimate,
                                               const Scenario& other, const Estimate& other_estimate) {
    std::vector<const LayerEstimate*> found(estimate.layers.size(), nullptr);
    std::vector<std::unordered_map<std::string_view, const LayerEstimate*>> parts(other.workload.size());
    for (const LayerEstimate& e : other_estimate.layers)
        parts[static_cast<std::size_t>(e.part)].emplace(name_of_layer(other, e), &e);
    for (std::size_t i = 0; i < estimate.layers.size(); ++i) {
        const LayerEstimate& e = estimate.layers[i];
        if (static_cast<std::size_t>(e.part) >= parts.size()) continue;
        const auto& names = parts[static_cast<std::size_t>(e.part)];
        if (const auto at = names.find(name_of_layer(scenario, e)); at != names.end()) found[i] = at->second;
    }
    return found;
}

}  // namespace scalescope::compare
