// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/editing/graph.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/network/attributes.hpp"

namespace scalescope::editing {

tl::unexpected<Problems> refuse(std::string what, std::string remedy, std::string where) {
    return fail(Problem{Severity::error, std::move(what), std::move(where), std::move(remedy), {}});
}

tl::unexpected<Problems> no_such_layer() {
    return refuse("There is no such layer any more.", "select a layer of this network");
}

int index_of(const NetworkDraft& draft, LayerId id) {
    const auto it = std::find_if(draft.layers.begin(), draft.layers.end(), [&](const Layer& l) { return l.id == id; });
    return it == draft.layers.end() ? -1 : static_cast<int>(it - draft.layers.begin());
}

std::unordered_map<std::uint32_t, int> indices_of(const NetworkDraft& draft) {
    std::unordered_map<std::uint32_t, int> indices;
    for (std::size_t i = 0; i < draft.layers.size(); ++i)
        indices.emplace(draft.layers[i].id.value, static_cast<int>(i));
    return indices;
}

Layer& layer_at(NetworkDraft& draft, int index) { return draft.layers[static_cast<std::size_t>(index)]; }
const Layer& layer_at(const NetworkDraft& draft, int index) { return draft.layers[static_cast<std::size_t>(index)]; }

LayerId next_id(const NetworkDraft& draft) {
    std::uint32_t highest = 0;
    for (const Layer& l : draft.layers) highest = std::max(highest, l.id.value);
    if (highest < std::numeric_limits<std::uint32_t>::max()) return LayerId{highest + 1};
    const auto indices = indices_of(draft);
    std::uint32_t id = 1;
    while (indices.contains(id)) ++id;
    return LayerId{id};
}

bool leads_to(const NetworkDraft& draft, LayerId from, LayerId to) {
    const auto indices = indices_of(draft);
    std::vector<char> seen(draft.layers.size(), 0);
    std::vector<LayerId> open{to};
    while (!open.empty()) {
        const LayerId id = open.back();
        open.pop_back();
        if (id == from) return true;
        const auto it = indices.find(id.value);
        if (it == indices.end() || std::exchange(seen[static_cast<std::size_t>(it->second)], 1)) continue;
        const Layer& l = layer_at(draft, it->second);
        open.insert(open.end(), l.inputs.begin(), l.inputs.end());
    }
    return false;
}

bool inputs_have_places(const Kind& kind) { return kind.max_inputs >= 0; }

void take_input(Layer& layer, std::size_t input) {
    // One that may be left out, or is one too many, goes; those behind it move up.
    const bool needed = inputs_have_places(*layer.kind) && input < static_cast<std::size_t>(layer.kind->min_inputs) &&
                        layer.inputs.size() <= static_cast<std::size_t>(layer.kind->max_inputs);
    if (needed)
        layer.inputs[input] = LayerId{};
    else
        layer.inputs.erase(layer.inputs.begin() + static_cast<std::ptrdiff_t>(input));
}

std::vector<std::string_view> symbols_of(const NetworkDraft& draft) {
    std::vector<std::string_view> symbols;
    for (const Symbol& s : draft.symbols) symbols.push_back(s.name);
    return symbols;
}

void put_value(Layer& layer, std::string_view name, AttributeValue value) {
    if (const int a = attribute_index(*layer.kind, name); a >= 0)
        layer.attributes[static_cast<std::size_t>(a)] = std::move(value);
}

Layer blank_layer(const Kind& kind, LayerId id, std::string name) {
    Layer layer;
    layer.id = id;
    layer.name = std::move(name);
    layer.kind = &kind;
    for (const AttributeInfo& info : kind.attributes) layer.attributes.push_back(info.initial);
    if (inputs_have_places(kind)) layer.inputs.assign(static_cast<std::size_t>(kind.min_inputs), LayerId{});
    return layer;
}

}  // namespace scalescope::editing
