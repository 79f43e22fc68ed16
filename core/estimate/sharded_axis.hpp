// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/step.hpp"
#include "core/parallel/stages.hpp"

/// Training states that the ranks of the data axis divide among them (ZeRO: Rajbhandari et al., SC 2020;
/// docs/decisions/mesh.md).
namespace scalescope {

/// A single copy of the weights is not sharded.
inline StateShards shards_of(const Point& point, const Mesh& mesh) {
    const std::int64_t experts = mesh.expert > 1 ? mesh.expert_data() : mesh.replicas();
    return std::max(experts, mesh.replicas()) > 1 ? StateShards{point.sharded, mesh.replicas(), experts}
                                                  : StateShards{};
}

/// Whether ranks update shards of weights that all of them hold whole.
inline bool updates_shards(const StateShards& states) {
    return states.sharded != Sharded::nothing && states.sharded != Sharded::weights;
}

/// Calls `use` with the position of every layer whose weights `layer` needs whole to compute: its own or those it
/// shares, and trained tensors of earlier stages that it reads. `first`: where its stage begins.
template <class Use>
void weights_needed(const Network& network, int layer, int first, Use use) {
    use(network.facts()[static_cast<std::size_t>(layer)].shares ? network.weights_owner(layer) : layer);
    const auto uses = network.weight_uses();
    for (std::size_t i = 0; i < uses.size(); ++i)
        if (uses[i].layer == layer && uses[i].reads &&
            needs_copy(uses, i, [first](int l) { return l >= first ? 1 : 0; }))
            use(uses[i].owner);
}

/// Weights sharded: every layer's weights are gathered before it computes, forward and again backward, while the layer
/// before it computes. After the layers are priced; `bytes` of the range is not used.
MessageSeconds gather_weights(const Plan& plan, int part, const GradientRange& range, const Point& point,
                              const Mesh& mesh, const LayerAxes* axes, Scratch& scratch);

/// Optimizer state or gradients sharded: each rank updates its shard, then all gather the trained weights of the layers
/// [from, to) in one message. Returns its seconds, all of which are waited for.
double gather_updated(const Plan& plan, int part, int from, int to, const Point& point, const Mesh& mesh,
                      const LayerAxes* axes, Scratch& scratch);

}  // namespace scalescope
