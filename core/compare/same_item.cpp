// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/same_item.hpp"

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

std::optional<int> same_layer(const Network& here, int position, const Network& there, SameLayer same) {
    if (position < 0 || position >= here.size()) return std::nullopt;
    const Layer& layer = here.layers()[static_cast<std::size_t>(position)];
    for (int i = 0; i < there.size(); ++i) {
        const Layer& candidate = there.layers()[static_cast<std::size_t>(i)];
        if (same == SameLayer::by_id ? candidate.id == layer.id : candidate.name == layer.name) return i;
    }
    return std::nullopt;
}

std::optional<Item> same_item(const Item& item, const Scenario& scenario, const Scenario& other) {
    if (item.message >= 0 || item.from > 0) return std::nullopt;
    if (item.layer < 0) return item;
    const auto part = static_cast<std::size_t>(item.part);
    if (part >= scenario.workload.size() || part >= other.workload.size()) return std::nullopt;
    const Network *here = scenario.workload[part].network.get(), *there = other.workload[part].network.get();
    if (!here || !there) return std::nullopt;
    const auto layer = same_layer(*here, item.layer, *there, SameLayer::by_name);
    if (!layer) return std::nullopt;
    Item found = item;
    found.layer = *layer;
    return found;
}

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
