// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/sketch.hpp"

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <utility>

namespace scalescope {
namespace {

using Positions = std::unordered_map<std::uint32_t, int>;

Positions positions_of(const std::vector<Layer>& layers) {
    Positions positions;
    for (std::size_t i = 0; i < layers.size(); ++i) positions.emplace(layers[i].id.value, static_cast<int>(i));
    return positions;
}

/// Inputs before their readers, as they stand otherwise; what is in a cycle comes last.
std::vector<Layer> in_order(const std::vector<Layer>& layers) {
    const Positions by_id = positions_of(layers);
    std::vector<int> pending(layers.size(), 0);
    std::vector<std::vector<int>> readers(layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i)
        for (LayerId in : layers[i].inputs)
            if (const auto it = by_id.find(in.value); it != by_id.end()) {
                readers[static_cast<std::size_t>(it->second)].push_back(static_cast<int>(i));
                ++pending[i];
            }
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (std::size_t i = 0; i < layers.size(); ++i)
        if (pending[i] == 0) ready.push(static_cast<int>(i));
    std::vector<Layer> result;
    std::vector<char> done(layers.size(), 0);
    result.reserve(layers.size());
    while (!ready.empty()) {
        const auto i = static_cast<std::size_t>(ready.top());
        ready.pop();
        done[i] = 1;
        result.push_back(layers[i]);
        for (int r : readers[i])
            if (--pending[static_cast<std::size_t>(r)] == 0) ready.push(r);
    }
    for (std::size_t i = 0; i < layers.size(); ++i)
        if (!done[i]) result.push_back(layers[i]);
    return result;
}

/// The input that spoils it: with the shape of one of the others in its place the layer would do. The last such one,
/// as that is what somebody has just connected.
int culprit(const Layer& layer, const std::vector<Shape>& shapes) {
    if (shapes.size() < 2) return shapes.empty() ? -1 : 0;
    for (std::size_t i = shapes.size(); i-- > 0;)
        for (std::size_t other = 0; other < shapes.size(); ++other) {
            if (shapes[other] == shapes[i]) continue;
            std::vector<Shape> mended = shapes;
            mended[i] = shapes[other];
            if (layer.kind->infer(layer, mended)) return static_cast<int>(i);
        }
    return -1;
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

Sketch::Sketch(const Network& network) : name(network.name()) {
    layers.assign(network.layers().begin(), network.layers().end());
    for (int l = 0; l < network.size(); ++l) {
        const auto in = network.inputs(l);
        inputs.emplace_back(in.begin(), in.end());
        facts.emplace_back(network.facts()[static_cast<std::size_t>(l)]);
    }
}

Sketch::Sketch(const NetworkDraft& draft) : name(draft.name), layers(in_order(draft.layers)) {
    const Positions by_id = positions_of(layers);
    facts.resize(layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Layer& l = layers[i];
        const int position = static_cast<int>(i);
        std::vector<int> in;
        for (LayerId id : l.inputs)
            if (const auto it = by_id.find(id.value); it != by_id.end()) in.push_back(it->second);
        const bool all_there = in.size() == l.inputs.size();
        inputs.push_back(std::move(in));
        const auto fault = [&](int input, Problem p) {
            if (p.where.empty()) p.where = l.name;
            faults.push_back({position, input, std::move(p)});
        };
        if (const std::string count = about_input_count(*l.kind, static_cast<int>(l.inputs.size())); !count.empty()) {
            fault(-1, {Severity::error,
                       std::string(l.kind->title) + " " + count + ".",
                       {},
                       l.inputs.empty() ? "connect a layer to it" : "take a connection away",
                       {}});
            continue;
        }
        if (!all_there) {
            fault(-1, {Severity::error, "An input names a layer that does not exist.", {}, "connect it again", {}});
            continue;
        }
        const auto shapes = input_shapes(position);
        if (!shapes) continue;  // its cause is said already
        auto known = l.kind->infer(l, *shapes);
        if (known)
            facts[i] = std::move(*known);
        else
            for (Problem& p : known.error()) fault(culprit(l, *shapes), std::move(p));
    }
    if (!faults.empty()) return;
    // What concerns all layers together: names used twice, no input, totals beyond counting.
    if (auto whole = Network::make(draft); !whole)
        for (Problem& p : whole.error()) {
            const auto it =
                std::find_if(layers.begin(), layers.end(), [&](const Layer& l) { return l.name == p.where; });
            faults.push_back(
                {it == layers.end() ? -1 : static_cast<int>(it - layers.begin()), -1, std::move(p)});
        }
}

std::optional<int> Sketch::position(LayerId id) const {
    const auto it = std::find_if(layers.begin(), layers.end(), [&](const Layer& l) { return l.id == id; });
    if (it == layers.end()) return std::nullopt;
    return static_cast<int>(it - layers.begin());
}

std::optional<std::vector<Shape>> Sketch::input_shapes(int layer) const {
    std::vector<Shape> shapes;
    for (int in : inputs[static_cast<std::size_t>(layer)]) {
        const auto& f = facts[static_cast<std::size_t>(in)];
        if (!f || in >= layer) return std::nullopt;
        shapes.push_back(f->output);
    }
    return shapes;
}

}  // namespace scalescope
