// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/same_item.hpp"

namespace scalescope::compare {

std::optional<Item> same_item(const Item& item, const Scenario& scenario, const Scenario& other) {
    if (item.message >= 0 || item.from > 0) return std::nullopt;
    if (item.layer < 0) return item;
    const auto part = static_cast<std::size_t>(item.part);
    if (part >= scenario.workload.size() || part >= other.workload.size()) return std::nullopt;
    const Network *here = scenario.workload[part].network.get(), *there = other.workload[part].network.get();
    if (!here || !there || item.layer >= here->size()) return std::nullopt;
    const std::string& name = here->layers()[static_cast<std::size_t>(item.layer)].name;
    for (int i = 0; i < there->size(); ++i)
        if (there->layers()[static_cast<std::size_t>(i)].name == name) {
            Item same = item;
            same.layer = i;
            return same;
        }
    return std::nullopt;
}

}  // namespace scalescope::compare
