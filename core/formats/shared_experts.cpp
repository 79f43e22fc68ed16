// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/shared_experts.hpp"

#include <utility>
#include <vector>

#include "core/base/limits.hpp"
#include "core/formats/draft_builder.hpp"
#include "core/network/sketch.hpp"

namespace scalescope::formats {
namespace {

/// The layers beside one mixture: up, function, down, sum.
std::vector<Layer> layers_beside(const Layer& mixture, LayerId read, std::int64_t hidden, std::int64_t width,
                                 std::uint32_t first) {
    const bool gated = std::get<bool>(attribute(mixture, "gated"));
    std::vector<Layer> all;
    const auto add = [&](const char* name, const char* kind, std::vector<LayerId> inputs,
                         const DraftBuilder::Givens& given) {
        Layer& l = all.emplace_back();
        l.id = LayerId{first + static_cast<std::uint32_t>(all.size()) - 1};
        l.name = mixture.name + name;
        l.kind = find_kind(kind);
        l.attributes = attributes_of(*l.kind, given);
        l.inputs = std::move(inputs);
        l.at = mixture.at;
        return l.id;
    };
    const auto product = [&](const char* name, LayerId in, std::int64_t units) {
        return add(name, "dense", {in}, {{"units", units}, {"bias", false}, {"per_position", true}});
    };
    const LayerId up = product("_shared/up", read, gated ? 2 * hidden : hidden);
    const LayerId function = gated ? add("_shared/gate", "glu", {up}, {{"function", std::string("silu")}})
                                   : add("_shared/activation", "activation", {up}, {{"function", std::string("gelu")}});
    add("_sum", "add", {mixture.id, product("_shared/down", function, width)}, {});
    return all;
}

}  // namespace

void draw_shared_experts(NetworkDraft& draft, const SharedExperts& shared, const std::string& path,
                         ProblemList& problems) {
    if (shared.empty()) return;
    std::unordered_map<std::uint32_t, std::vector<Layer>> beside;  // by mixture
    const auto sum_or = [&](LayerId layer) {
        const auto of = beside.find(layer.value);
        return of == beside.end() ? layer : of->second.back().id;
    };
    const Sketch sketch(draft);
    auto next = static_cast<std::uint32_t>(draft.layers.size() + 1);
    for (int p = 0; p < sketch.size(); ++p) {  // inputs before their readers
        const Layer& mixture = sketch.layers[static_cast<std::size_t>(p)];
        const auto count = shared.find(mixture.id.value);
        if (count == shared.end()) continue;
        const auto shapes = sketch.input_shapes(p);
        const std::int64_t hidden = std::get<std::int64_t>(attribute(mixture, "hidden"));
        if (!shapes || shapes->size() != 1 || shapes->front().empty() ||
            hidden > limits::dimension / 2 / count->second) {
            problems.error(mixture.at, join_path(join_path(path, "layers"), mixture.name),
                           "The shared experts of this mixture cannot be drawn as layers beside it.",
                           "Connect its input, and check its sizes and those of the layers before it.");
            continue;
        }
        std::vector<Layer> layers = layers_beside(mixture, sum_or(mixture.inputs.front()), hidden * count->second,
                                                  shapes->front().back(), next);
        next += static_cast<std::uint32_t>(layers.size());
        if (const auto owner = beside.find(mixture.shares_weights_with.value); owner != beside.end())
            for (const std::size_t product : {std::size_t{0}, std::size_t{2}})
                layers[product].shares_weights_with = owner->second[product].id;
        beside.emplace(mixture.id.value, std::move(layers));
    }
    std::vector<Layer> all;
    for (Layer& l : draft.layers) {
        for (LayerId& in : l.inputs) in = sum_or(in);
        all.push_back(std::move(l));
        if (const auto of = beside.find(all.back().id.value); of != beside.end())
            all.insert(all.end(), of->second.begin(), of->second.end());
    }
    draft.layers = std::move(all);
}

}  // namespace scalescope::formats
