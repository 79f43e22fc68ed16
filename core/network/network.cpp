// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/network.hpp"

#include <algorithm>
#include <map>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/base/sequences.hpp"

namespace scalescope {
std::int64_t elements(const Shape& shape) {
    Checked n = 1;
    for (auto d : shape) n = n * d;
    return n.ok() ? n.value() : limits::elements + 1;
}

std::string to_text(const Shape& shape) {
    if (shape.empty()) return "1";
    std::string text;
    for (auto d : shape) {
        if (!text.empty()) text += "×";
        text += std::to_string(d);
    }
    return text;
}

std::string_view leaf_name(std::string_view name) {
    const auto slash = name.rfind('/');
    return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

NetworkDraft settled(NetworkDraft draft) {
    if (!draft.remade_by) return draft;
    draft.remade_by.reset();
    std::erase_if(draft.symbols, [](const Symbol& s) { return s.name != batch_symbol; });
    return draft;
}

Result<std::shared_ptr<const Network>> Network::make(NetworkDraft draft, std::span<const Binding> bindings) {
    if (draft.remade_by) {
        auto sizes = initial_bindings(draft.symbols);
        const auto initial = sizes;
        if (auto bound = scalescope::bind(sizes, bindings, draft.name); !bound) return tl::unexpected(bound.error());
        if (sizes != initial) {
            ASSIGN_OR_RETURN(auto other, draft.remade_by->at(sizes));
            return check(std::move(other), {});
        }
    }
    return check(std::move(draft), bindings);
}

Result<std::shared_ptr<const Network>> Network::check(NetworkDraft draft, std::span<const Binding> bindings) {
    const std::size_t n = draft.layers.size();
    if (n == 0) return fail(no_layers());
    if (n > limits::layers) return fail(too_many_layers(n));
    Connections connections = connections_of(draft.layers);
    if (!connections.faults.empty()) return fail(problems_of(std::move(connections.faults)));

    auto network = std::shared_ptr<Network>(new Network);
    std::vector<int> position(n);
    std::vector<Layer> sorted;
    sorted.reserve(n);
    for (int i : connections.order) {
        position[static_cast<std::size_t>(i)] = static_cast<int>(sorted.size());
        sorted.push_back(std::move(draft.layers[static_cast<std::size_t>(i)]));
    }
    draft.layers = std::move(sorted);
    for (int i : connections.order) {
        for (int in : connections.inputs.row(i))
            network->inputs_.items.push_back(position[static_cast<std::size_t>(in)]);
        network->inputs_.close();
    }
    network->draft_ = std::make_shared<const NetworkDraft>(std::move(draft));
    network->bindings_ = initial_bindings(network->draft_->symbols);
    network->index();
    if (auto measured = network->measure(bindings); !measured) return tl::unexpected(measured.error());
    return std::shared_ptr<const Network>(network);
}

Result<std::shared_ptr<const Network>> Network::with(std::span<const Binding> bindings) const {
    if (draft_->remade_by) {
        auto sizes = bindings_;
        if (auto bound = scalescope::bind(sizes, bindings, name()); !bound) return tl::unexpected(bound.error());
        return make(*draft_, sizes);
    }
    auto network = std::shared_ptr<Network>(new Network(*this));
    if (auto measured = network->measure(bindings); !measured) return tl::unexpected(measured.error());
    return std::shared_ptr<const Network>(network);
}

/// Shapes and work of every layer with these values of its symbols.
Result<void> Network::measure(std::span<const Binding> bindings) {
    if (auto bound = bind(bindings_, bindings, name()); !bound) return bound;
    Inferred inferred = infer_layers(draft_->layers, inputs_, bindings_);
    if (!inferred.faults.empty()) return fail(problems_of(std::move(inferred.faults)));
    facts_ = std::move(inferred.facts);
    parameters_ = inferred.parameters;
    multiply_adds_ = inferred.multiply_adds;
    unknown_kinds_ = inferred.unknown_kinds;
    uses_.clear();
    for (const auto& [owner, layer] : inferred.shared) uses_.push_back({owner, layer, false});
    find_roots();
    return {};
}

/// Which tensors the layers read, views looked through; who needs whose weights.
void Network::find_roots() {
    const int n = size();
    root_.clear();
    reads_ = Rows{};
    std::vector<int> last_reader(static_cast<std::size_t>(n), -1);
    for (int l = 0; l < n; ++l) {
        const auto in = inputs(l);
        root_.push_back(facts_[static_cast<std::size_t>(l)].division == Division::view ? root(in[0]) : l);
        for (int i : in) {
            int& last = last_reader[static_cast<std::size_t>(root(i))];
            if (last != l) reads_.items.push_back(root(i));
            last = l;
        }
        reads_.close();
        for (int r : reads(l))
            if (const LayerFacts& f = facts_[static_cast<std::size_t>(r)]; f.per_step && f.weights > 0 && root(l) == l)
                uses_.push_back({r, l, true});
    }
    std::ranges::sort(uses_, [](const WeightUse& a, const WeightUse& b) {
        return std::pair(a.owner, a.layer) < std::pair(b.owner, b.layer);
    });
}

/// Layers by id and by name.
void Network::index() {
    for (int l = 0; l < size(); ++l) {
        by_id_.push_back(l);
        by_name_.push_back(l);
    }
    const auto& layers = draft_->layers;
    std::ranges::sort(by_id_, [&](int a, int b) {
        return layers[static_cast<std::size_t>(a)].id < layers[static_cast<std::size_t>(b)].id;
    });
    std::ranges::sort(by_name_, [&](int a, int b) {
        return layers[static_cast<std::size_t>(a)].name < layers[static_cast<std::size_t>(b)].name;
    });
}

std::optional<int> Network::position(LayerId id) const {
    const auto it = std::ranges::lower_bound(by_id_, id, std::less{},
                                             [&](int l) { return layers()[static_cast<std::size_t>(l)].id; });
    if (it == by_id_.end() || layers()[static_cast<std::size_t>(*it)].id != id) return std::nullopt;
    return *it;
}

std::optional<int> Network::position(std::string_view name) const {
    const auto it = std::ranges::lower_bound(by_name_, name, std::less{}, [&](int l) -> std::string_view {
        return layers()[static_cast<std::size_t>(l)].name;
    });
    if (it == by_name_.end() || layers()[static_cast<std::size_t>(*it)].name != name) return std::nullopt;
    return *it;
}

std::vector<std::string_view> Network::unknown_types() const {
    std::vector<std::string_view> types;
    for (int l = 0; l < size(); ++l) {
        if (!facts_[static_cast<std::size_t>(l)].unknown) continue;
        const auto& type = std::get<std::string>(attribute(layers()[static_cast<std::size_t>(l)], "type"));
        if (!type.empty()) types.push_back(type);
    }
    sort_once(types);
    return types;
}

std::vector<int> find_alike(const Network& network) {
    // First by facts, then by those of the neighbours too.
    std::map<std::vector<std::int64_t>, std::vector<int>> first;
    std::vector<int> by_facts, alike;
    for (int l = 0; l < network.size(); ++l) {
        const LayerFacts& f = network.facts()[static_cast<std::size_t>(l)];
        auto& known = first[{f.in_elements, f.out_elements, f.weights, f.multiply_adds}];
        const auto same =
            std::ranges::find_if(known, [&](int k) { return network.facts()[static_cast<std::size_t>(k)] == f; });
        by_facts.push_back(same == known.end() ? known.emplace_back(l) : *same);
    }
    std::map<std::vector<int>, int> places;
    for (int l = 0; l < network.size(); ++l) {
        std::vector<int> place{by_facts[static_cast<std::size_t>(l)]};
        for (const auto& neighbours : {network.inputs(l), network.reads(l)}) {
            place.push_back(-1);
            for (const int t : neighbours) place.push_back(by_facts[static_cast<std::size_t>(t)]);
        }
        alike.push_back(places.try_emplace(std::move(place), l).first->second);
    }
    return alike;
}

std::string about_unknown_kinds(const Network& network) {
    const int n = network.unknown_kinds();
    if (n == 0) return {};
    const auto types = network.unknown_types();
    constexpr std::size_t most = 8;  // a sentence, not a list
    const std::size_t named = std::min(types.size(), most), more = types.size() - named;
    std::string list;
    for (std::size_t i = 0; i < named; ++i) {
        if (i > 0) list += i + 1 == named && more == 0 ? " and " : ", ";
        list += types[i];
    }
    if (more > 0) list += " and " + std::to_string(more) + " more";
    if (!list.empty()) list = (types.size() == 1 ? " (type " : " (types ") + list + ')';
    return std::to_string(n) + (n == 1 ? " layer" : " layers") + " of unknown kind" + list +
           (n == 1 ? " is priced by the bytes it moves." : " are priced by the bytes they move.");
}

std::string about_guess(const Layer& layer, const LayerFacts* facts) {
    if (!layer.assumed.empty()) return layer.assumed;
    return facts && facts->unknown ? "A layer of unknown kind is priced by the bytes it moves." : "";
}

std::int64_t Network::default_batch() const {
    for (const auto& s : draft_->symbols)
        if (s.name == batch_symbol) return s.initial;
    return 1;
}

int Network::weights_owner(int position) const {
    for (const WeightUse& use : uses_)
        if (use.layer == position && !use.reads) return use.owner;
    return position;
}

bool Network::frozen(int position, std::span<const LayerId> frozen) const {
    if (frozen.empty()) return false;
    const auto is = [&](int l) { return std::ranges::binary_search(frozen, layers()[static_cast<std::size_t>(l)].id); };
    if (is(position)) return true;
    if (uses_.empty()) return false;
    const int owner = weights_owner(position);
    return is(owner) || std::ranges::any_of(uses_, [&](const WeightUse& use) {
               return use.owner == owner && !use.reads && is(use.layer);
           });
}

bool same_layers(const Network& a, const Network& b) {
    if (&a == &b || a.same_draft(b)) return true;
    const auto &p = a.draft().symbols, &q = b.draft().symbols;
    if (!std::ranges::equal(
            p, q, [](const Symbol& x, const Symbol& y) { return x.name == y.name && x.initial == y.initial; }))
        return false;
    const auto name = [](const Network& n, LayerId id) -> std::string_view {
        const auto at = n.position(id);
        return at ? std::string_view(n.layers()[static_cast<std::size_t>(*at)].name) : std::string_view();
    };
    const auto same = [&](const Layer& x, const Layer& y) {
        return x.kind == y.kind && x.name == y.name && x.attributes == y.attributes &&
               name(a, x.shares_weights_with) == name(b, y.shares_weights_with) &&
               std::ranges::equal(x.inputs, y.inputs, [&](LayerId i, LayerId k) { return name(a, i) == name(b, k); });
    };
    const auto la = a.layers(), lb = b.layers();
    return std::ranges::equal(la, lb, same);
}

}  // namespace scalescope
