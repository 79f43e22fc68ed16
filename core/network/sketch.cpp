// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/sketch.hpp"

#include <algorithm>
#include <utility>

#include "core/base/limits.hpp"
#include "core/network/attributes.hpp"

namespace scalescope {
namespace {

/// The input that spoils it: without it, or with the shape of another one in its place, the layer would do. The last
/// such one, as that is what somebody has just connected. -1: none of them alone.
int culprit(const Layer& layer, const std::vector<Shape>& shapes) {
    // It is something else: a value that is missing, or whose weights it shares.
    if (first_without_value(layer) || layer.kind->infer(layer, shapes)) return -1;
    if (shapes.size() < 2) return shapes.empty() ? -1 : 0;
    if (layer.kind->max_inputs < 0)
        for (std::size_t i = shapes.size(); i-- > 0;) {
            std::vector<Shape> rest = shapes;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            if (layer.kind->infer(layer, rest)) return static_cast<int>(i);
        }
    constexpr std::size_t most = 16;  // of many inputs, the first that differs will do
    if (shapes.size() > most) return -1;
    for (std::size_t i = shapes.size(); i-- > 0;)
        for (const Shape& other : shapes) {
            if (other == shapes[i]) continue;
            std::vector<Shape> mended = shapes;
            mended[i] = other;
            if (layer.kind->infer(layer, mended)) return static_cast<int>(i);
        }
    return -1;
}

}  // namespace

Sketch::Sketch(const Network& network) : name(network.name()) {
    layers.assign(network.layers().begin(), network.layers().end());
    facts.assign(network.facts().begin(), network.facts().end());
    for (int l = 0; l < network.size(); ++l) {
        const auto in = network.inputs(l);
        inputs.emplace_back(in.begin(), in.end());
    }
}

Sketch::Sketch(const NetworkDraft& draft, std::span<const Binding> wanted) : name(draft.name) {
    Connections c = connections_of(draft.layers);
    const std::size_t n = draft.layers.size();
    std::vector<char> wrong(n, 1);  // until its turn comes, in a cycle
    for (int i : c.order) wrong[static_cast<std::size_t>(i)] = 0;
    for (std::size_t i = 0; i < n; ++i)
        if (wrong[i]) c.order.push_back(static_cast<int>(i));
    for (const Fault& f : c.faults)
        if (f.layer >= 0) wrong[static_cast<std::size_t>(f.layer)] = 1;

    std::vector<int> position(n);
    std::vector<char> wrong_at(n);
    for (std::size_t p = 0; p < n; ++p) {
        const auto i = static_cast<std::size_t>(c.order[p]);
        position[i] = static_cast<int>(p);
        wrong_at[p] = wrong[i];
        layers.push_back(draft.layers[i]);
    }
    Rows rows;
    inputs.resize(n);
    for (std::size_t p = 0; p < n; ++p) {
        for (int in : c.inputs.row(c.order[p])) {
            rows.items.push_back(in < 0 ? in : position[static_cast<std::size_t>(in)]);
            if (in >= 0) inputs[p].push_back(rows.items.back());
        }
        rows.close();
    }
    for (Fault& f : c.faults) {
        if (f.layer >= 0) f.layer = position[static_cast<std::size_t>(f.layer)];
        faults.push_back(std::move(f));
    }
    if (n == 0 || n > limits::layers)
        faults.push_back({-1, -1, n == 0 ? no_layers() : too_many_layers(n)});
    else {
        auto bindings = initial_bindings(draft.symbols);
        if (auto bound = scalescope::bind(bindings, wanted, name); !bound)
            for (Problem& p : bound.error()) faults.push_back({-1, -1, std::move(p)});
        Inferred inferred = infer_layers(layers, rows, bindings, wrong_at);
        for (std::size_t p = 0; p < n; ++p)
            facts.push_back(inferred.known[p] ? std::optional(std::move(inferred.facts[p])) : std::nullopt);
        for (Fault& f : inferred.faults) {
            if (f.layer >= 0 && f.input < 0)
                if (const auto shapes = input_shapes(f.layer))
                    if (const auto bound = with_values(layers[static_cast<std::size_t>(f.layer)], bindings))
                        f.input = culprit(*bound ? **bound : layers[static_cast<std::size_t>(f.layer)], *shapes);
            faults.push_back(std::move(f));
        }
    }
    facts.resize(n);
}

std::optional<int> Sketch::position(LayerId id) const {
    const auto it = std::ranges::find(layers, id, &Layer::id);
    if (it == layers.end()) return std::nullopt;
    return static_cast<int>(it - layers.begin());
}

std::optional<std::vector<Shape>> Sketch::input_shapes(int layer) const {
    const auto l = static_cast<std::size_t>(layer);
    if (inputs[l].size() != layers[l].inputs.size()) return std::nullopt;
    std::vector<Shape> shapes;
    for (int in : inputs[l]) {
        const auto& f = facts[static_cast<std::size_t>(in)];
        if (!f || in >= layer) return std::nullopt;
        shapes.push_back(f->output);
    }
    return shapes;
}

}  // namespace scalescope
