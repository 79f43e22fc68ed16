// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>
#include <utility>

#include "core/base/limits.hpp"
#include "core/network/attributes.hpp"
#include "core/network/editing/edit.hpp"
#include "core/network/editing/first_values.hpp"
#include "core/network/editing/graph.hpp"
#include "core/network/editing/names.hpp"
#include "core/network/wording.hpp"

namespace scalescope::editing {
namespace {

tl::unexpected<Problems> name_taken(const std::string& name) {
    return refuse("There is a layer called \"" + name + "\" already.", "choose another name", name);
}

bool has_input(const Layer& l, int input) { return input >= 0 && static_cast<std::size_t>(input) < l.inputs.size(); }

tl::unexpected<Problems> no_such_input(const Layer& l) {
    return refuse("The layer has no such input.", "it has " + std::to_string(l.inputs.size()), l.name);
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
        l.assumed.clear();
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

Edit connect_layers(const NetworkDraft& draft, LayerId from, LayerId to, std::optional<int> input) {
    const int source = index_of(draft, from), reader = index_of(draft, to);
    if (source < 0 || reader < 0) return no_such_layer();
    const std::string& name = layer_at(draft, reader).name;
    const Kind& kind = *layer_at(draft, reader).kind;
    if (kind.max_inputs == 0)
        return refuse("A layer of kind " + std::string(kind.name) + " reads nothing.",
                      "connect \"" + layer_at(draft, source).name + "\" to another layer", name);
    if (leads_to(draft, to, from))
        return refuse("\"" + name + "\" comes before \"" + layer_at(draft, source).name +
                          "\": the connection would make a cycle.",
                      "connect to a layer that does not lead to its own input", name);
    Edited edited{draft, {to}};
    auto& inputs = layer_at(edited.draft, reader).inputs;
    const auto size = static_cast<int>(inputs.size());
    const auto open = std::find(inputs.begin(), inputs.end(), LayerId{});
    const bool full = kind.max_inputs >= 0 && size >= kind.max_inputs;
    const int at = input                  ? *input
                   : open != inputs.end() ? static_cast<int>(open - inputs.begin())
                   : full                 ? size - 1
                                          : size;
    if (at < 0 || at > size || (at == size && full)) return no_such_input(layer_at(draft, reader));
    if (inputs.size() >= limits::layer_inputs && at == size)
        return refuse("The layer has " + std::to_string(size) + " inputs already.", "this program accepts no more",
                      name);
    if (at == size)
        inputs.push_back(from);
    else
        inputs[static_cast<std::size_t>(at)] = from;
    return edited;
}

Edit disconnect_input(const NetworkDraft& draft, LayerId to, int input) {
    const int reader = index_of(draft, to);
    if (reader < 0) return no_such_layer();
    if (!has_input(layer_at(draft, reader), input)) return no_such_input(layer_at(draft, reader));
    Edited edited{draft, {to}};
    take_input(layer_at(edited.draft, reader), static_cast<std::size_t>(input));
    return edited;
}

}  // namespace scalescope::editing
