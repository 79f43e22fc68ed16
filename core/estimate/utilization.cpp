// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/utilization.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "core/scenario/recompute_choice.hpp"
#include "core/scenario/symbol_fields.hpp"

namespace scalescope {
namespace {

/// Of fused attention over every pair of a query and a key: scores, and their product with the values.
double whole_square(const Network& network, int position) {
    const auto inputs = network.inputs(position);
    const auto shape = [&](int p) -> const Shape& { return network.facts()[static_cast<std::size_t>(p)].output; };
    const Shape &queries = shape(inputs[0]), &keys = shape(inputs[1]), &output = shape(position);
    return static_cast<double>(queries[0]) * static_cast<double>(keys[0]) *
           (static_cast<double>(queries[1]) + static_cast<double>(output[1]));
}

/// The outermost block of a layer: "h0/mlp/up" is in "h0". Empty for a layer outside of all blocks.
std::string_view outermost_block(std::string_view name) {
    const auto end = name.find('/');
    return end == std::string_view::npos ? std::string_view() : name.substr(0, end);
}

bool is_attention(const Layer& layer) { return layer.kind->name == "attention"; }

/// Blocks that hold attention: those that a transformer repeats, without its embeddings and its head.
std::set<std::string_view> attention_blocks(const Network& network) {
    std::set<std::string_view> blocks;
    for (const Layer& layer : network.layers())
        if (is_attention(layer)) blocks.insert(outermost_block(layer.name));
    blocks.erase(std::string_view());
    return blocks;
}

/// Parameters of the experts to which a token is not routed.
double unused_parameters(const LayerFacts& f) {
    if (f.experts.count == 0) return 0;
    return static_cast<double>(f.experts.parameters) * static_cast<double>(f.experts.count - f.experts.chosen) /
           static_cast<double>(f.experts.count);
}

/// Parameters that one token uses; only the experts to which it is routed count.
double used_parameters(const Network& network) {
    auto used = static_cast<double>(network.parameters());
    for (const LayerFacts& f : network.facts()) used -= unused_parameters(f);
    return used;
}

/// Those of them that are not trained.
double frozen_parameters(const Network& network, const std::vector<LayerId>& frozen) {
    double used = 0;
    for (int p = 0; !frozen.empty() && p < network.size(); ++p) {
        const LayerFacts& f = network.facts()[static_cast<std::size_t>(p)];
        if (network.frozen(p, frozen)) used += static_cast<double>(f.parameters()) - unused_parameters(f);
    }
    return used;
}

}  // namespace

CountedFlops counted_flops(const Network& network) {
    CountedFlops counted;
    const auto blocks = attention_blocks(network);
    counted.parameters = used_parameters(network);
    for (int p = 0; p < network.size(); ++p) {
        const auto at = static_cast<std::size_t>(p);
        const Layer& layer = network.layers()[at];
        const bool attention = is_attention(layer);
        const Flops flops{
            2.0 * (attention ? whole_square(network, p) : static_cast<double>(network.facts()[at].multiply_adds))};
        counted.forward += flops;
        if (attention) counted.attention += flops;
        if (blocks.contains(outermost_block(layer.name))) counted.blocks += flops;
    }
    return counted;
}

Flops model_flops(const CountedFlops& counted) { return 3.0 * counted.forward; }

namespace {

/// FLOPs that the backward pass repeats as sources count them: the attention's, or those of all blocks.
Flops repeated(const CountedFlops& counted, Recompute recompute, Flops all_blocks) {
    if (recompute == Recompute::blocks || recompute == Recompute::uniform) return all_blocks;
    const bool attention = (modules_of(recompute) & bit_of(RecomputeModule::core_attn)) != 0;
    return attention || recompute == Recompute::attention ? counted.attention : Flops{0};
}

}  // namespace

Flops hardware_flops(const CountedFlops& counted, Recompute recompute) {
    return model_flops(counted) + repeated(counted, recompute, counted.blocks);
}

Flops model_flops_by_parameters(const CountedFlops& counted, double tokens) {
    if (tokens <= 1) return model_flops(counted);  // images
    return Flops{6.0 * counted.parameters * tokens} + 3.0 * counted.attention;
}

Flops hardware_flops_by_parameters(const CountedFlops& counted, double tokens, Recompute recompute) {
    const Flops model = model_flops_by_parameters(counted, tokens);
    if (recompute == Recompute::blocks || recompute == Recompute::uniform) return 4.0 / 3.0 * model;
    return model + repeated(counted, recompute, Flops{0});
}

double tokens_of(const Scenario& s) {
    double tokens = 0;
    for (const char* name : {"source_sequence", "target_sequence"})
        if (const auto length = symbol_value(s, name)) tokens += static_cast<double>(*length);
    if (tokens > 0) return tokens;
    const Network& network = *s.workload.front().network;
    for (std::size_t i = 0; i < network.layers().size(); ++i)
        if (network.layers()[i].kind->name == "embedding")
            tokens = std::max(tokens, static_cast<double>(network.facts()[i].out_elements) /
                                          static_cast<double>(network.facts()[i].output.back()));
    return std::max(tokens, 1.0);
}

std::optional<Utilization> utilization_of(const Scenario& scenario, const Estimate& estimate) {
    if (scenario.workload.size() != 1 || estimate.cpu || !(estimate.summary.step > Seconds{0})) return std::nullopt;
    const CountedFlops& counted = scenario.network()->found(counted_flops);
    const double tokens = tokens_of(scenario);
    Utilization u;
    if (tokens > 1 && estimate.throughput.value > 0) {
        u.tokens_per_second = tokens * estimate.throughput.value;
        u.trillion_tokens = Seconds{1e12 / u.tokens_per_second};
        if (estimate.epoch_cost)  // of an epoch, at the same price
            u.trillion_tokens_cost = *estimate.epoch_cost * (*u.trillion_tokens / estimate.epoch);
    }
    const double samples_each = estimate.throughput.value / static_cast<double>(scenario.cluster.workers);
    const Flops no_gradients =
        tokens > 1 ? Flops{2.0 * frozen_parameters(*scenario.network(), scenario.training.frozen) * tokens} : Flops{0};
    const Flops model = model_flops_by_parameters(counted, tokens) - no_gradients,
                hardware = hardware_flops_by_parameters(counted, tokens, scenario.parallelism.recompute) - no_gradients;
    u.each_device = FlopsPerSecond{model.value * samples_each};
    if (const auto peak = scenario.cluster.device.peak_at(scenario.training.precision); peak && peak->value > 0) {
        u.model = Fraction{u.each_device / *peak};
        u.hardware = Fraction{hardware.value * samples_each / peak->value};
    }
    return u;
}

}  // namespace scalescope
