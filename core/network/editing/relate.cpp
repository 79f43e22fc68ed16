// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/editing/relate.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace scalescope::editing {

std::map<std::string, std::string> renamed_in(const NetworkDraft& draft, const Network& network) {
    std::unordered_map<std::uint32_t, const Layer*> known;
    for (const Layer& l : network.layers()) known.emplace(l.id.value, &l);
    std::map<std::string, std::string> renamed;
    for (const Layer& l : draft.layers)
        if (const auto was = known.find(l.id.value); was != known.end() && was->second->name != l.name)
            renamed.emplace(l.name, was->second->name);
    return renamed;
}

NetworkDraft related_to(NetworkDraft draft, const Network& network, const std::map<std::string, std::string>& renamed) {
    std::unordered_map<std::string, const Layer*> by_name;
    std::uint32_t next = 1;
    for (const Layer& l : network.layers()) {
        by_name.emplace(l.name, &l);
        next = std::max(next, l.id.value + 1);
    }
    std::unordered_set<std::uint32_t> taken;
    std::unordered_map<std::uint32_t, LayerId> now;  // by the id that the reader gave
    const auto take = [&](const Layer& l, const std::string& name) {
        const auto was = by_name.find(name);
        if (was == by_name.end() || was->second->kind != l.kind || !taken.insert(was->second->id.value).second) return;
        now.emplace(l.id.value, was->second->id);
    };
    // What was renamed first: another layer may have its old name by now.
    for (const Layer& l : draft.layers)
        if (const auto was = renamed.find(l.name); was != renamed.end()) take(l, was->second);
    for (const Layer& l : draft.layers)
        if (!renamed.contains(l.name)) take(l, l.name);
    for (const Layer& l : draft.layers)
        if (!now.contains(l.id.value)) now.emplace(l.id.value, LayerId{next++});
    const auto renumber = [&](LayerId& id) {
        if (const auto to = now.find(id.value); to != now.end()) id = to->second;
    };
    for (Layer& l : draft.layers) {
        renumber(l.id);
        for (LayerId& in : l.inputs) renumber(in);
        renumber(l.shares_weights_with);
    }
    return draft;
}

}  // namespace scalescope::editing
