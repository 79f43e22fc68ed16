// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/editing/edit.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/limits.hpp"
#include "core/network/editing/first_values.hpp"
#include "core/network/editing/graph.hpp"
#include "core/network/editing/names.hpp"

namespace scalescope::editing {
namespace {

int known_layers(const NetworkDraft& draft) {
    const Sketch sketch(draft);
    return static_cast<int>(
        std::count_if(sketch.facts.begin(), sketch.facts.end(), [](const auto& f) { return f.has_value(); }));
}

/// The draft with the layer at `at` set in the way with which most of the network can be measured; the first of equals.
NetworkDraft best_of(NetworkDraft draft, int at, const std::vector<Layer>& ways) {
    if (ways.size() == 1) {
        layer_at(draft, at) = ways.front();
        return draft;
    }
    const int all = static_cast<int>(draft.layers.size());
    int most = -1;
    const Layer* best = nullptr;
    for (const Layer& way : ways) {
        layer_at(draft, at).attributes = way.attributes;
        const int known = known_layers(draft);
        if (known > most) {
            most = known;
            best = &way;
        }
        if (known == all) break;
    }
    layer_at(draft, at).attributes = best->attributes;
    return draft;
}

struct Placing {
    std::vector<LayerId> sources;
    std::string block;
    std::size_t at = 0;  ///< index in the draft
};

/// Puts the new layer in place and lets `rewire` connect its readers to it.
template <class Rewire>
Edit put(const NetworkDraft& draft, const Kind& kind, const Placing& where, Rewire&& rewire) {
    if (draft.layers.size() >= limits::layers)
        return refuse("The network has " + std::to_string(draft.layers.size()) + " layers already.",
                      "this program accepts no more");
    const Sketch before(draft);
    const Surroundings around = surroundings_of(before, kind, where.sources);
    const Names names(draft);
    const std::string stem = name_stem(kind, around.model), plain = joined(where.block, stem);
    // The data of a network are called "input"; of everything else there will be more.
    const std::string name = kind.name == "input" && !names.taken(plain)
                                 ? plain
                                 : names.numbered(where.block, stem, names.taken(plain) ? 2 : 1);
    Layer blank = blank_layer(kind, next_id(draft), name);
    const std::size_t room = kind.max_inputs < 0
                                 ? where.sources.size()
                                 : std::min(where.sources.size(), static_cast<std::size_t>(kind.max_inputs));
    for (std::size_t i = 0; i < room; ++i) {
        if (i < blank.inputs.size())
            blank.inputs[i] = where.sources[i];
        else
            blank.inputs.push_back(where.sources[i]);
    }
    // Attention to one layer alone is to itself.
    if (kind.name == "attention" && room == 1) blank.inputs.assign(blank.inputs.size(), where.sources.front());
    Edited edited{draft, {blank.id}};
    auto& layers = edited.draft.layers;
    layers.insert(layers.begin() + static_cast<std::ptrdiff_t>(where.at), blank);
    rewire(edited.draft, blank.id);
    edited.draft = best_of(std::move(edited.draft), static_cast<int>(where.at), with_first_values(blank, around));
    return edited;
}

}  // namespace

Edit insert_alone(const NetworkDraft& draft, const Kind& kind, std::string_view block) {
    return put(draft, kind, {{}, std::string(block), draft.layers.size()}, [](NetworkDraft&, LayerId) {});
}

Edit insert_behind(const NetworkDraft& draft, const Kind& kind, std::span<const LayerId> sources, Readers readers) {
    if (kind.max_inputs == 0)
        return refuse("A layer of kind " + std::string(kind.name) + " reads nothing: it cannot stand behind another.",
                      "put it in by itself");
    Placing where;
    std::vector<std::string> names;
    for (LayerId id : sources) {
        const int i = index_of(draft, id);
        if (i < 0) return no_such_layer();
        where.sources.push_back(id);
        names.push_back(layer_at(draft, i).name);
        where.at = std::max(where.at, static_cast<std::size_t>(i) + 1);
    }
    where.block = common_path(names);
    if (sources.empty()) where.at = draft.layers.size();
    return put(draft, kind, where, [&](NetworkDraft& d, LayerId fresh) {
        if (readers == Readers::stay) return;
        const Layer added = layer_at(d, index_of(d, fresh));
        const auto is_source = [&](LayerId id) {
            return id != LayerId{} && std::find(added.inputs.begin(), added.inputs.end(), id) != added.inputs.end();
        };
        for (Layer& l : d.layers) {
            // What lies between two of the sources goes on reading the first of them.
            const bool before = std::any_of(added.inputs.begin(), added.inputs.end(),
                                            [&](LayerId s) { return s != LayerId{} && leads_to(d, l.id, s); });
            if (l.id == fresh || before) continue;
            for (LayerId& in : l.inputs)
                if (is_source(in)) in = fresh;
        }
    });
}

Edit insert_on_edge(const NetworkDraft& draft, const Kind& kind, LayerId to, int input) {
    const int reader = index_of(draft, to);
    if (reader < 0) return no_such_layer();
    const Layer& l = layer_at(draft, reader);
    const auto k = static_cast<std::size_t>(input);
    const int source = input >= 0 && k < l.inputs.size() ? index_of(draft, l.inputs[k]) : -1;
    if (source < 0) return refuse("There is no connection at this input.", "connect a layer to it first", l.name);
    if (kind.max_inputs == 0)
        return refuse(
            "A layer of kind " + std::string(kind.name) + " reads nothing: it cannot stand between two others.",
            "put it in by itself");
    const std::vector<std::string> names{layer_at(draft, source).name, l.name};
    const Placing where{{l.inputs[k]}, common_path(names), static_cast<std::size_t>(std::max(reader, source + 1))};
    return put(draft, kind, where,
               [&](NetworkDraft& d, LayerId fresh) { layer_at(d, index_of(d, to)).inputs[k] = fresh; });
}

}  // namespace scalescope::editing
