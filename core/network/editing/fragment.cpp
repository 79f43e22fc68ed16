// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/editing/fragment.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/limits.hpp"
#include "core/network/editing/edit.hpp"
#include "core/network/editing/graph.hpp"
#include "core/network/editing/names.hpp"

namespace scalescope::editing {
namespace {

/// The block that copies stay in. All layers of a block together are the block, and a copy of it stands beside it.
std::string block_of_copies(const NetworkDraft& draft, const std::vector<Layer>& chosen) {
    std::vector<std::string> names;
    for (const Layer& l : chosen) names.push_back(l.name);
    const std::string block = common_path(names);
    const auto inside = std::count_if(draft.layers.begin(), draft.layers.end(),
                                      [&](const Layer& l) { return is_inside(l.name, block); });
    const bool whole = chosen.size() > 1 && static_cast<std::size_t>(inside) == chosen.size();
    return whole ? std::string(parent_path(block)) : block;
}

}  // namespace

Result<Fragment> copy_layers(const NetworkDraft& draft, std::span<const LayerId> layers) {
    std::unordered_set<std::uint32_t> wanted, noted;
    for (LayerId id : layers) wanted.insert(id.value);
    Fragment fragment;
    for (const Layer& l : draft.layers)
        if (wanted.contains(l.id.value)) fragment.layers.push_back(l);
    if (fragment.layers.empty()) return refuse("No layers are selected.", "select what to copy");
    if (fragment.layers.size() != wanted.size()) return no_such_layer();
    const auto indices = indices_of(draft);
    const auto note = [&](LayerId id) {
        if (wanted.contains(id.value) || !noted.insert(id.value).second) return;
        if (const auto it = indices.find(id.value); it != indices.end())
            fragment.outer.push_back({id, layer_at(draft, it->second).name});
    };
    for (const Layer& l : fragment.layers) {
        for (LayerId in : l.inputs) note(in);
        note(l.shares_weights_with);
    }
    fragment.symbols = draft.symbols;
    fragment.block = block_of_copies(draft, fragment.layers);
    return fragment;
}

Edit paste_layers(const NetworkDraft& draft, const Fragment& fragment) {
    if (draft.layers.size() + fragment.layers.size() > limits::layers)
        return refuse("The network would have more than " + std::to_string(limits::layers) + " layers.",
                      "paste fewer of them");
    Edited edited{draft, {}};
    for (const Symbol& s : fragment.symbols)
        if (std::none_of(draft.symbols.begin(), draft.symbols.end(), [&](const Symbol& t) { return t.name == s.name; }))
            edited.draft.symbols.push_back(s);

    std::unordered_map<std::uint32_t, LayerId> ids;
    std::unordered_map<std::string_view, LayerId> by_name;
    for (const Layer& l : draft.layers) by_name.emplace(l.name, l.id);
    for (const auto& outer : fragment.outer)
        if (const auto it = by_name.find(outer.name); it != by_name.end()) ids.emplace(outer.id.value, it->second);
    for (const Layer& l : fragment.layers) {
        const LayerId id = edited.selected.empty() ? next_id(draft) : LayerId{edited.selected.back().value + 1};
        edited.selected.push_back(id);
        ids.insert_or_assign(l.id.value, id);
    }
    const auto now = [&](LayerId id) {
        const auto it = ids.find(id.value);
        return it == ids.end() ? LayerId{} : it->second;
    };

    Names names(draft);
    std::map<std::string, std::string, std::less<>> renamed;  // layers and blocks right in the fragment's block
    for (std::size_t i = 0; i < fragment.layers.size(); ++i) {
        Layer l = fragment.layers[i];
        l.id = edited.selected[i];
        l.at = {};
        const std::size_t begin =
            is_inside(l.name, fragment.block) && !fragment.block.empty() ? fragment.block.size() + 1 : 0;
        const std::string head = l.name.substr(0, l.name.find('/', begin));
        auto it = renamed.find(head);
        if (it == renamed.end()) {
            it = renamed.emplace(head, names.fresh(head)).first;
            names.add(it->second);
        }
        l.name = it->second + l.name.substr(head.size());
        if (l.name.size() > limits::name_bytes)
            return refuse("A name would be too long.", "shorten the names of the layers first", l.name.substr(0, 60));
        for (LayerId& in : l.inputs) in = now(in);
        for (std::size_t k = l.inputs.size(); k-- > 0;)
            if (l.inputs[k] == LayerId{}) take_input(l, k);
        l.shares_weights_with = now(l.shares_weights_with);
        edited.draft.layers.push_back(std::move(l));
    }
    return edited;
}

Edit duplicate_layers(const NetworkDraft& draft, std::span<const LayerId> layers) {
    ASSIGN_OR_RETURN(auto fragment, copy_layers(draft, layers));
    return paste_layers(draft, fragment);
}

}  // namespace scalescope::editing
