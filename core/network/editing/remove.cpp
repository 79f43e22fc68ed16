// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/editing/edit.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "core/network/editing/graph.hpp"
#include "core/network/sketch.hpp"

namespace scalescope::editing {
namespace {

class Removal {
public:
    Removal(const NetworkDraft& draft, std::span<const LayerId> layers) : draft_(draft), indices_(indices_of(draft)) {
        for (LayerId id : layers) gone_.insert(id.value);
    }

    Edited run() {
        Edited edited{draft_, {}};
        for (Layer& l : edited.draft.layers)
            if (!is_gone(l.id)) reconnect(l);
        for (const Layer& l : draft_.layers) {
            if (!is_gone(l.id)) continue;
            const LayerId source = instead_of(l.id);
            auto& selected = edited.selected;
            if (source != LayerId{} && std::find(selected.begin(), selected.end(), source) == selected.end())
                selected.push_back(source);
        }
        std::erase_if(edited.draft.layers, [&](const Layer& l) { return is_gone(l.id); });
        hand_on_weights(edited.draft);
        return edited;
    }

private:
    const NetworkDraft& draft_;
    std::unordered_map<std::uint32_t, int> indices_;
    std::unordered_set<std::uint32_t> gone_;
    std::optional<Sketch> sketch_;  ///< made when a layer with several inputs asks for shapes
    std::unordered_map<std::uint32_t, Shape> shapes_;

    bool is_gone(LayerId id) const { return gone_.contains(id.value); }

    const Shape* shape_of(LayerId id) {
        if (!sketch_) {
            sketch_.emplace(draft_);
            for (std::size_t l = 0; l < sketch_->layers.size(); ++l)
                if (const auto& f = sketch_->facts[l]) shapes_.emplace(sketch_->layers[l].id.value, f->output);
        }
        const auto it = shapes_.find(id.value);
        return it == shapes_.end() ? nullptr : &it->second;
    }

    LayerId input_to_use(const Layer& l) {
        LayerId first;
        for (LayerId in : l.inputs) {
            if (!indices_.contains(in.value)) continue;
            if (first == LayerId{}) first = in;
            if (l.inputs.size() == 1) return in;
            const Shape *out = shape_of(l.id), *own = shape_of(in);
            if (out && own && *out == *own) return in;
        }
        return first;
    }

    /// The layer that stays to read instead of one that goes, or none.
    LayerId instead_of(LayerId id) {
        for (std::size_t steps = 0; is_gone(id) && steps <= draft_.layers.size(); ++steps)  // a cycle has no end
            id = input_to_use(layer_at(draft_, indices_.at(id.value)));
        return is_gone(id) ? LayerId{} : id;
    }

    void reconnect(Layer& l) {
        for (std::size_t k = l.inputs.size(); k-- > 0;) {
            if (!is_gone(l.inputs[k])) continue;
            const LayerId source = instead_of(l.inputs[k]);
            if (source != LayerId{} && source != l.id)
                l.inputs[k] = source;
            else
                take_input(l, k);
        }
    }

    void hand_on_weights(NetworkDraft& draft) {
        if (std::none_of(draft.layers.begin(), draft.layers.end(),
                         [&](const Layer& l) { return is_gone(l.shares_weights_with); }))
            return;
        // The owner stands before those that share, in the order in which the network runs.
        std::unordered_map<std::uint32_t, LayerId> heirs;
        for (int i : connections_of(draft.layers).order) {
            Layer& l = layer_at(draft, i);
            if (!is_gone(l.shares_weights_with)) continue;
            const auto [heir, first] = heirs.emplace(l.shares_weights_with.value, l.id);
            l.shares_weights_with = first ? LayerId{} : heir->second;
        }
    }
};

}  // namespace

Edit remove_layers(const NetworkDraft& draft, std::span<const LayerId> layers) {
    for (LayerId id : layers)
        if (index_of(draft, id) < 0) return no_such_layer();
    return Removal(draft, layers).run();
}

}  // namespace scalescope::editing
