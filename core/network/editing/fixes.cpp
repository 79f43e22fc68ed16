// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/editing/fixes.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/network/attributes.hpp"
#include "core/network/editing/candidates.hpp"
#include "core/network/editing/edit.hpp"
#include "core/network/editing/first_values.hpp"
#include "core/network/editing/graph.hpp"
#include "core/network/editing/names.hpp"

namespace scalescope::editing {
namespace {

constexpr std::size_t most_fixes = 4, most_tries = 16;

std::unordered_map<std::uint32_t, bool> known_by_id(const Sketch& sketch) {
    std::unordered_map<std::uint32_t, bool> known;
    for (std::size_t l = 0; l < sketch.layers.size(); ++l)
        known.emplace(sketch.layers[l].id.value, sketch.facts[l].has_value());
    return known;
}

LayerId layer_of(const Sketch& sketch, const Fault& f) {
    return f.layer < 0 ? LayerId{} : sketch.layers[static_cast<std::size_t>(f.layer)].id;
}

class Mender {
public:
    Mender(const NetworkDraft& draft, const Sketch& sketch, const Fault& fault, std::span<const Binding> bindings)
        : draft_(draft),
          sketch_(sketch),
          fault_(fault),
          bindings_(bindings),
          before_(known_by_id(sketch)),
          layer_(layer_of(sketch, fault)) {}

    std::vector<Fix> run() {
        collect();
        std::vector<Fix> fixes;
        std::size_t tries = 0;
        for (const Candidate& c : candidates_) {
            if (fixes.size() == most_fixes || ++tries > most_tries) break;
            if (std::any_of(fixes.begin(), fixes.end(), [&](const Fix& f) { return f.title == c.title; })) continue;
            if (auto edit = c.make(); edit && mends(edit->draft)) fixes.push_back({c.title, std::move(*edit)});
        }
        return fixes;
    }

private:
    const NetworkDraft& draft_;
    const Sketch& sketch_;
    const Fault& fault_;
    std::span<const Binding> bindings_;
    std::unordered_map<std::uint32_t, bool> before_;
    LayerId layer_;
    Candidates candidates_;

    bool mends(const NetworkDraft& draft) const {
        const Sketch after(draft, bindings_);
        for (const Fault& f : after.faults) {
            const LayerId id = layer_of(after, f);
            const bool is_new = id != LayerId{} && !before_.contains(id.value);
            if (is_new || (id == layer_ && f.input == fault_.input && f.problem.what == fault_.problem.what))
                return false;
        }
        const bool must_be_known = given_shapes().has_value();
        for (const auto& [id, known] : known_by_id(after)) {
            if (known) continue;
            if (must_be_known && id == layer_.value) return false;
            const auto it = before_.find(id);
            if (it == before_.end() || it->second) return false;
        }
        return true;
    }

    /// Shapes of the layer's inputs; nothing if they are not all there, or too many.
    std::optional<std::vector<Shape>> given_shapes() const {
        if (fault_.layer < 0) return std::nullopt;
        const Layer& l = sketch_.layers[static_cast<std::size_t>(fault_.layer)];
        if (!about_input_count(*l.kind, static_cast<int>(l.inputs.size())).empty()) return std::nullopt;
        return sketch_.input_shapes(fault_.layer);
    }

    void add(std::string title, std::function<Edit()> make) {
        candidates_.push_back({std::move(title), std::move(make)});
    }

    void collect() {
        if (fault_.layer < 0) {
            add("Add an input", [this] { return insert_alone(draft_, *find_kind("input")); });
            return;
        }
        const Layer& l = sketch_.layers[static_cast<std::size_t>(fault_.layer)];
        if (const auto shapes = given_shapes()) {
            if (first_without_value(l)) return add_first_values(l, *shapes);
            if (names_used_twice(l)) return add_rename(l);
            if (l.shares_weights_with != LayerId{})
                add("Give " + l.name + " weights of its own",
                    [this] { return share_weights(draft_, layer_, LayerId{}); });
            const Mismatch m{draft_, sketch_, l, fault_.layer, std::max(0, fault_.input), *shapes};
            add_value_candidates(m, candidates_);
            add_source_candidates(m, candidates_);
            add_shape_candidates(m, candidates_);
            return;
        }
        if (names_used_twice(l)) add_rename(l);
        add_connections(l);
    }

    bool names_used_twice(const Layer& l) const {
        return std::count_if(draft_.layers.begin(), draft_.layers.end(),
                             [&](const Layer& other) { return other.name == l.name; }) > 1;
    }

    void add_rename(const Layer& l) {
        const std::string name = Names(draft_).fresh(l.name);
        add("Rename it to " + std::string(leaf_name(name)),
            [this, name] { return rename_layer(draft_, layer_, name); });
    }

    void add_first_values(const Layer& l, std::vector<Shape> shapes) {
        Layer given = with_first_values(l, {nullptr, std::move(shapes)}).front();
        for (std::size_t a = 0; a < l.attributes.size(); ++a)
            if (has_type(l.kind->attributes[a], l.attributes[a])) given.attributes[a] = l.attributes[a];
        add("Use what is usual", [this, given]() -> Edit {
            Edited edited{draft_, {layer_}};
            layer_at(edited.draft, index_of(draft_, layer_)).attributes = given.attributes;
            return edited;
        });
    }

    /// For inputs that are open, missing, too many, or part of a cycle.
    void add_connections(const Layer& l) {
        const auto k = static_cast<std::size_t>(std::max(0, fault_.input));
        const bool there = k < l.inputs.size() && index_of(draft_, l.inputs[k]) >= 0;
        if (there) {
            const std::string& source = layer_at(draft_, index_of(draft_, l.inputs[k])).name;
            add("Disconnect " + source, [this, k] { return disconnect_input(draft_, layer_, static_cast<int>(k)); });
            return;
        }
        if (l.kind->max_inputs >= 0 && l.inputs.size() > static_cast<std::size_t>(l.kind->max_inputs)) return;
        for (LayerId source : likely_sources(l)) {
            const std::string title = "Connect " + layer_at(draft_, index_of(draft_, source)).name;
            const auto at = k < l.inputs.size() ? std::optional<int>(static_cast<int>(k)) : std::nullopt;
            add(title, [this, source, at] { return connect_layers(draft_, source, layer_, at); });
        }
        add("Remove " + l.name, [this] { return remove_layers(draft_, std::vector<LayerId>{layer_}); });
    }

    /// Layers that nobody reads yet, then the one before it; the nearest first.
    std::vector<LayerId> likely_sources(const Layer& l) const {
        constexpr std::size_t most = 3;
        std::unordered_set<std::uint32_t> read;
        for (const Layer& other : draft_.layers)
            for (LayerId in : other.inputs) read.insert(in.value);
        std::vector<LayerId> sources;
        const auto look = [&](int from, int step, bool unread) {
            for (int i = from; i >= 0 && i < static_cast<int>(draft_.layers.size()) && sources.size() < most;
                 i += step) {
                const LayerId id = layer_at(draft_, i).id;
                if (id == layer_ || read.contains(id.value) == unread || leads_to(draft_, layer_, id)) continue;
                if (std::find(l.inputs.begin(), l.inputs.end(), id) != l.inputs.end()) continue;
                if (std::find(sources.begin(), sources.end(), id) == sources.end()) sources.push_back(id);
                if (!unread) return;  // one of these
            }
        };
        const int here = index_of(draft_, layer_);
        look(here - 1, -1, true);
        look(here + 1, 1, true);
        look(here - 1, -1, false);
        return sources;
    }
};

}  // namespace

bool Mismatch::takes(std::size_t k, const Shape& shape) const {
    std::vector<Shape> mended = shapes;
    mended[k] = shape;
    return layer.kind->infer(layer, mended).has_value();
}

std::vector<Fix> fixes_of(const NetworkDraft& draft, const Sketch& sketch, const Fault& fault,
                          std::span<const Binding> bindings) {
    return Mender(draft, sketch, fault, bindings).run();
}

}  // namespace scalescope::editing
