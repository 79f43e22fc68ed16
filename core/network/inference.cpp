// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/inference.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/network/attributes.hpp"
#include "core/network/wording.hpp"

namespace scalescope {
namespace {

constexpr int no_layer = -1;

// Layers that use weights of others (docs/decisions/shared-weights.md).

/// What is wrong with the layer at `position` of `layers`, all before it known, sharing the weights of another. Sets
/// `facts.shares` and `owner` if nothing is.
Result<void> share_weights(std::span<const Layer> layers, std::span<const LayerFacts> known, int position,
                           LayerFacts& facts, int& owner) {
    const LayerId with = layers[static_cast<std::size_t>(position)].shares_weights_with;
    const auto other = std::ranges::find(layers, with, &Layer::id);
    if (other == layers.end())
        return fail(make_error("It shares the weights of a layer that does not exist.",
                               "name a layer of this network, or let it have weights of its own"));
    owner = static_cast<int>(other - layers.begin());
    if (owner >= position)
        return fail(make_error("It shares the weights of \"" + other->name + "\", which comes later.",
                               owner == position ? "name another layer" : "let the later one share those of this one"));
    if (other->shares_weights_with != LayerId{})
        return fail(make_error("It shares the weights of \"" + other->name + "\", which shares them itself.",
                               "name the layer that the weights come from"));
    // An owner that is wrong itself is reported already, and stops the network.
    const std::int64_t theirs = known[static_cast<std::size_t>(owner)].weights;
    if (theirs == 0 || facts.weights != theirs)
        return fail(
            make_error("It has " + std::to_string(facts.weights) + " weights, \"" + other->name +
                           "\", whose weights it shares, " + std::to_string(theirs) + ".",
                       facts.weights == 0 || theirs == 0
                           ? "share only between layers that have weights"
                           : "make the two alike; a bias that only one has stands in a scale layer of its own"));
    facts.shares = true;
    return {};
}

/// Takes inputs that all samples share out of those that each has for itself. `inputs`: facts of the layers it reads.
void split_trained_inputs(LayerFacts& facts, std::span<const LayerFacts* const> inputs) {
    for (const LayerFacts* in : inputs) {
        if (!in->per_step) continue;
        facts.in_elements -= in->out_elements;
        facts.in_step_elements += in->out_elements;
    }
    if (facts.in_step_elements == 0) return;
    if (facts.division == Division::view)
        facts.per_step = true;
    else
        facts.division = Division::mixing;
}

/// Collects faults with the layer's name and position filled in; stops growing at the limit.
class FaultList {
public:
    FaultList(std::span<const Layer> layers, std::vector<Fault>& faults) : layers_(layers), faults_(faults) {}

    void add(int layer, int input, Problem p) {
        if (faults_.size() >= limits::problems) return;
        if (layer != no_layer) {
            const Layer& l = layers_[static_cast<std::size_t>(layer)];
            if (p.where.empty()) p.where = l.name;
            if (p.at == SourcePosition{}) p.at = l.at;
        }
        faults_.push_back({layer, input, std::move(p)});
    }
    void error(int layer, int input, std::string what, std::string remedy) {
        add(layer, input, make_error(std::move(what), std::move(remedy)));
    }

private:
    std::span<const Layer> layers_;
    std::vector<Fault>& faults_;
};

/// Order of the layers by their inputs; as they stand wherever that is possible. What is in a cycle is missing.
std::vector<int> topological_order(const Rows& inputs, int n) {
    std::vector<int> pending(static_cast<std::size_t>(n), 0);
    std::vector<std::vector<int>> readers(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i)
        for (int in : inputs.row(i)) {
            if (in == no_layer) continue;
            readers[static_cast<std::size_t>(in)].push_back(i);
            ++pending[static_cast<std::size_t>(i)];
        }
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (int i = 0; i < n; ++i)
        if (pending[static_cast<std::size_t>(i)] == 0) ready.push(i);
    std::vector<int> order;
    order.reserve(static_cast<std::size_t>(n));
    while (!ready.empty()) {
        const int i = ready.top();
        ready.pop();
        order.push_back(i);
        for (int r : readers[static_cast<std::size_t>(i)])
            if (--pending[static_cast<std::size_t>(r)] == 0) ready.push(r);
    }
    return order;
}

/// A connection of a cycle: the first layer in it, and which of its inputs comes from the cycle.
std::pair<int, int> in_a_cycle(const Connections& c, int n) {
    std::vector<char> done(static_cast<std::size_t>(n), 0), seen(static_cast<std::size_t>(n), 0);
    for (int i : c.order) done[static_cast<std::size_t>(i)] = 1;
    // A layer that is not done has an input that is not done: going back from one to the next ends in a cycle.
    const auto before = [&](int l) {
        const auto in = c.inputs.row(l);
        const auto it =
            std::ranges::find_if(in, [&](int i) { return i != no_layer && !done[static_cast<std::size_t>(i)]; });
        return static_cast<int>(it - in.begin());
    };
    int l = static_cast<int>(std::ranges::find(done, 0) - done.begin());
    while (!seen[static_cast<std::size_t>(l)]) {
        seen[static_cast<std::size_t>(l)] = 1;
        l = c.inputs.row(l)[static_cast<std::size_t>(before(l))];
    }
    int first = l;
    for (int i = c.inputs.row(l)[static_cast<std::size_t>(before(l))]; i != l;
         i = c.inputs.row(i)[static_cast<std::size_t>(before(i))])
        first = std::min(first, i);
    return {first, before(first)};
}

void check_input_count(FaultList& faults, const Layer& l, int index) {
    const int n = static_cast<int>(l.inputs.size());
    const std::string count = about_input_count(*l.kind, n);
    if (count.empty()) return;
    faults.error(index, n < l.kind->min_inputs ? n : std::max(0, l.kind->max_inputs),
                 a_layer(*l.kind) + " " + count + ".", "correct its inputs");
}

}  // namespace

std::string about_input_count(const Kind& kind, int count) {
    if (count >= kind.min_inputs && (kind.max_inputs < 0 || count <= kind.max_inputs)) return {};
    const std::string wants = kind.max_inputs < 0    ? std::to_string(kind.min_inputs) + " or more inputs"
                              : kind.max_inputs == 0 ? "no inputs"
                              : kind.max_inputs == 1 ? "one input"
                                                     : std::to_string(kind.max_inputs) + " inputs";
    return "takes " + wants + ", this one has " + (count == 0 ? "none" : std::to_string(count));
}

Problem no_layers() { return make_error("The network has no layers.", "add an input layer and at least one more"); }

Problem too_many_layers(std::size_t count) {
    return make_error("The network has " + std::to_string(count) + " layers.",
                      "this program accepts up to " + std::to_string(limits::layers));
}

Problems problems_of(std::vector<Fault> faults) {
    Problems problems;
    for (Fault& f : faults) problems.push_back(std::move(f.problem));
    return problems;
}

Connections connections_of(std::span<const Layer> layers) {
    Connections c;
    FaultList faults(layers, c.faults);
    const int n = static_cast<int>(layers.size());
    std::unordered_map<std::uint32_t, int> by_id;
    std::unordered_map<std::string_view, const Layer*> by_name;
    for (int i = 0; i < n; ++i) {
        const Layer& l = layers[static_cast<std::size_t>(i)];
        if (!by_id.emplace(l.id.value, i).second)
            faults.error(i, -1, "Two layers have the number " + std::to_string(l.id.value) + ".",
                         "give each layer a number of its own");
        const auto [it, fresh] = by_name.emplace(l.name, &l);
        if (!fresh)
            faults.error(i, -1, "Two layers are called \"" + l.name + "\".",
                         it->second->at.line > 0
                             ? "rename one; the other is on line " + std::to_string(it->second->at.line)
                             : "rename one of them");
    }
    for (int i = 0; i < n; ++i) {
        const Layer& l = layers[static_cast<std::size_t>(i)];
        check_input_count(faults, l, i);
        for (std::size_t k = 0; k < l.inputs.size(); ++k) {
            const auto it = by_id.find(l.inputs[k].value);
            c.inputs.items.push_back(it == by_id.end() ? no_layer : it->second);
            if (l.inputs[k] == LayerId{})
                faults.error(i, static_cast<int>(k),
                             l.inputs.size() == 1 ? "Nothing is connected to its input."
                                                  : "Nothing is connected to input " + std::to_string(k + 1) + ".",
                             "connect a layer to it");
            else if (it == by_id.end())
                faults.error(i, static_cast<int>(k), "An input names a layer that does not exist.",
                             "connect it to a layer of this network");
        }
        c.inputs.close();
    }
    c.order = topological_order(c.inputs, n);
    if (c.order.size() != layers.size()) {
        const auto [layer, input] = in_a_cycle(c, n);
        faults.error(layer, input, "The layer depends on itself through a cycle.",
                     "remove one of the connections of the cycle");
    }
    return c;
}

Inferred infer_layers(std::span<const Layer> layers, const Rows& inputs, std::span<const Binding> bindings,
                      std::span<const char> wrong) {
    Inferred r;
    FaultList faults(layers, r.faults);
    const std::size_t n = layers.size();
    r.facts.resize(n);
    r.known.assign(n, 0);
    Checked parameters = 0, macs = 0;
    bool any_input = false;
    int overflows = no_layer;
    std::vector<Shape> shapes;
    std::vector<const LayerFacts*> of_inputs;
    for (std::size_t i = 0; i < n; ++i) {
        if (!wrong.empty() && wrong[i]) continue;
        const Layer& l = layers[i];
        const int position = static_cast<int>(i);
        shapes.clear();
        of_inputs.clear();
        bool inputs_known = true;
        for (int p : inputs.row(position)) {
            inputs_known = inputs_known && p >= 0 && p < position && r.known[static_cast<std::size_t>(p)];
            if (!inputs_known) break;
            of_inputs.push_back(&r.facts[static_cast<std::size_t>(p)]);
            shapes.push_back(of_inputs.back()->output);
        }
        if (!inputs_known) continue;  // its cause is reported already
        if (auto p = first_without_value(l)) {
            faults.add(position, -1, std::move(*p));
            continue;
        }
        auto bound = with_values(l, bindings);
        if (!bound) {
            for (auto& p : bound.error()) faults.add(position, -1, std::move(p));
            continue;
        }
        auto facts = l.kind->infer(*bound ? **bound : l, shapes);
        if (!facts) {
            for (auto& p : facts.error()) faults.add(position, -1, std::move(p));
            continue;
        }
        split_trained_inputs(*facts, of_inputs);
        if (l.shares_weights_with != LayerId{}) {
            int owner = position;
            auto shared = share_weights(layers, r.facts, position, *facts, owner);
            if (!shared && owner < position && !r.known[static_cast<std::size_t>(owner)]) continue;
            if (!shared) {
                for (auto& p : shared.error()) faults.add(position, -1, std::move(p));
                continue;
            }
            r.shared.emplace_back(owner, position);
        }
        any_input |= facts->division == Division::source;
        r.known[i] = 1;
        parameters = parameters + facts->parameters();
        macs = macs + facts->multiply_adds;
        // Each layer's work is an exact integer in a double; of all together eight times as much stays an integer here.
        // A model of 405 billion parameters that reads 131,072 tokens has 5·10^16.
        if (overflows == no_layer && (!parameters.ok() || !macs.ok() || macs.value() > (1LL << 60)))
            overflows = position;
        r.unknown_kinds += facts->unknown;
        r.facts[i] = std::move(*facts);
    }
    const bool whole = r.faults.empty() && std::ranges::find(wrong, 1) == wrong.end();
    if (whole && !any_input)
        faults.error(no_layer, -1, "The network has no input layer.",
                     "add a layer of kind \"input\" with the shape of the data");
    if (whole && overflows != no_layer)
        faults.error(overflows, -1, "The network is too large to count: up to this layer its totals overflow.",
                     "check the sizes of this layer and of those before it for a typing error");
    r.parameters = parameters.value();
    r.multiply_adds = macs.value();
    return r;
}

}  // namespace scalescope
