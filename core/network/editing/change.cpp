// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/editing/change.hpp"

#include <algorithm>
#include <utility>

#include "core/network/attributes.hpp"
#include "core/network/editing/first_values.hpp"
#include "core/network/editing/graph.hpp"
#include "core/network/editing/names.hpp"
#include "core/network/wording.hpp"

namespace scalescope::editing {
namespace {

tl::unexpected<Problems> name_taken(const std::string& name) {
    return refuse("There is a layer called \"" + name + "\" already.", "choose another name", name);
}

}  // namespace

Edit set_attribute(const NetworkDraft& draft, std::span<const LayerId> layers, std::string_view name,
                   const AttributeValue& value) {
    Edited edited{draft, {layers.begin(), layers.end()}};
    const auto symbols = symbols_of(draft);
    for (LayerId id : layers) {
        const int i = index_of(draft, id);
        if (i < 0) return no_such_layer();
        Layer& l = layer_at(edited.draft, i);
        const int a = attribute_index(*l.kind, name);
        if (a < 0)
            return refuse(a_layer(*l.kind) + " has no attribute \"" + std::string(name) + "\".",
                          "select layers that have it", l.name);
        if (auto p = about_value(l.kind->attributes[static_cast<std::size_t>(a)], value, symbols)) {
            p->where = l.name + " › " + p->where;
            return fail(std::move(*p));
        }
        l.attributes[static_cast<std::size_t>(a)] = value;
    }
    return edited;
}

Edit rename_layer(const NetworkDraft& draft, LayerId layer, const std::string& name) {
    const int i = index_of(draft, layer);
    if (i < 0) return no_such_layer();
    if (auto p = about_name(name)) return fail(std::move(*p));
    for (const Layer& l : draft.layers)
        if (l.name == name && l.id != layer) return name_taken(name);
    Edited edited{draft, {layer}};
    layer_at(edited.draft, i).name = name;
    return edited;
}

Edit rename_network(const NetworkDraft& draft, const std::string& name) {
    if (auto p = about_title(name)) return fail(std::move(*p));
    Edited edited{draft, {}};
    edited.draft.name = name;
    return edited;
}

Edit rename_block(const NetworkDraft& draft, const std::string& path, const std::string& new_path) {
    if (auto p = about_name(new_path)) return fail(std::move(*p));
    std::unordered_set<std::string_view> others;
    for (const Layer& l : draft.layers)
        if (path.empty() || !is_inside(l.name, path)) others.insert(l.name);
    Edited edited{draft, {}};
    for (Layer& l : edited.draft.layers) {
        if (path.empty() || !is_inside(l.name, path)) continue;
        std::string name = new_path + l.name.substr(path.size());
        if (auto p = about_name(name)) return fail(std::move(*p));
        if (others.contains(name)) return name_taken(name);
        l.name = std::move(name);
        edited.selected.push_back(l.id);
    }
    if (edited.selected.empty()) return refuse("There is no block \"" + path + "\".", "choose a block of this network");
    return edited;
}

Edit change_kind(const NetworkDraft& draft, LayerId layer, const Kind& kind) {
    const int i = index_of(draft, layer);
    if (i < 0) return no_such_layer();
    const Layer& old = layer_at(draft, i);
    if (old.kind == &kind) return Edited{draft, {layer}};
    Layer blank = blank_layer(kind, old.id, old.name);
    blank.at = old.at;
    std::vector<LayerId> sources = old.inputs;
    if (kind.max_inputs >= 0 && sources.size() > static_cast<std::size_t>(kind.max_inputs))
        sources.resize(static_cast<std::size_t>(kind.max_inputs));
    for (std::size_t k = 0; k < sources.size(); ++k) {
        if (k < blank.inputs.size())
            blank.inputs[k] = sources[k];
        else if (sources[k] != LayerId{})
            blank.inputs.push_back(sources[k]);
    }
    Surroundings around = surroundings_of(Sketch(draft), kind, sources);
    around.model = nullptr;  // its own attributes are the model
    Layer changed = with_first_values(blank, around).front();
    const auto symbols = symbols_of(draft);
    for (std::size_t a = 0; a < kind.attributes.size(); ++a) {
        const int there = attribute_index(*old.kind, kind.attributes[a].name);
        if (there < 0) continue;
        const AttributeValue& value = old.attributes[static_cast<std::size_t>(there)];
        if (!about_value(kind.attributes[a], value, symbols)) changed.attributes[a] = value;
    }
    Edited edited{draft, {layer}};
    layer_at(edited.draft, i) = std::move(changed);
    return edited;
}

Edit share_weights(const NetworkDraft& draft, LayerId layer, LayerId owner) {
    const int i = index_of(draft, layer), o = index_of(draft, owner);
    if (i < 0 || (owner != LayerId{} && o < 0)) return no_such_layer();
    const std::string& name = layer_at(draft, i).name;
    if (owner == layer) return refuse("A layer cannot share its own weights.", "choose another layer", name);
    // Whose weights the owner uses itself is meant.
    if (o >= 0 && layer_at(draft, o).shares_weights_with != LayerId{}) owner = layer_at(draft, o).shares_weights_with;
    if (owner == layer) return refuse("These two share their weights already.", "choose another layer", name);
    Edited edited{draft, {layer}};
    for (Layer& l : edited.draft.layers)
        if (l.id == layer || (owner != LayerId{} && l.shares_weights_with == layer)) l.shares_weights_with = owner;
    return edited;
}

}  // namespace scalescope::editing
