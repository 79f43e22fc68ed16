// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/same_item.hpp"

namespace scalescope::compare {

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

}  // namespace scalescope::compare
