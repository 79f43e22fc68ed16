// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/editing/blocks.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "core/network/editing/graph.hpp"
#include "core/network/editing/names.hpp"

namespace scalescope::editing {

Edit group_layers(const NetworkDraft& draft, std::span<const LayerId> layers, const std::string& name) {
    if (auto p = about_name(name)) return fail(std::move(*p));
    std::unordered_set<std::uint32_t> wanted;
    for (LayerId id : layers) wanted.insert(id.value);
    std::vector<std::string> names;
    for (const Layer& l : draft.layers)
        if (wanted.contains(l.id.value)) names.push_back(l.name);
    if (names.empty()) return refuse("No layers are selected.", "select what the block shall hold");
    if (names.size() != wanted.size()) return no_such_layer();
    const std::string around = common_path(names), path = joined(around, name);
    if (Names(draft).taken(path))
        return refuse("There is a layer or a block called \"" + path + "\" already.", "choose another name", path);
    Edited edited{draft, {}};
    for (Layer& l : edited.draft.layers) {
        if (!wanted.contains(l.id.value)) continue;
        l.name = joined(path, std::string_view(l.name).substr(around.empty() ? 0 : around.size() + 1));
        if (auto p = about_name(l.name)) return fail(std::move(*p));
        edited.selected.push_back(l.id);
    }
    return edited;
}

Edit ungroup_block(const NetworkDraft& draft, const std::string& path) {
    NetworkDraft others;
    for (const Layer& l : draft.layers)
        if (path.empty() || !is_inside(l.name, path)) others.layers.push_back(l);
    if (others.layers.size() == draft.layers.size())
        return refuse("There is no block \"" + path + "\".", "choose a block of this network");
    Names names(others);
    const std::string around(parent_path(path));
    std::map<std::string, std::string, std::less<>> moved;  // layers and blocks right in it
    Edited edited{draft, {}};
    for (Layer& l : edited.draft.layers) {
        if (!is_inside(l.name, path)) continue;
        const std::string rest = l.name.substr(path.size() + 1), head = rest.substr(0, rest.find('/'));
        auto it = moved.find(head);
        if (it == moved.end()) {
            it = moved.emplace(head, names.fresh(joined(around, head))).first;
            names.add(it->second);
        }
        l.name = it->second + rest.substr(head.size());
        edited.selected.push_back(l.id);
    }
    return edited;
}

}  // namespace scalescope::editing
