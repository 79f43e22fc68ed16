// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/step.hpp"
#include "core/parallel/stages.hpp"

/// Training states that the ranks of the data axis divide among them (ZeRO: Rajbhandari et al., SC 2020;
/// docs/decisions/mesh.md).
namespace scalescope {

/// Of a group of `group` neighbouring replicas, the ranks that hold the same experts; 0 if groups have unlike experts.
inline std::int64_t expert_ranks_of(const Mesh& mesh, std::int64_t group) {
    const std::int64_t devices = mesh.tensor * group, stride = mesh.expert * mesh.expert_tensor;
    return devices % stride == 0 ? devices / stride : stride % devices == 0 ? 1 : 0;
}
/// A single copy of the weights is not sharded, nor is it in groups of one. `passes`: over each layer in a step.
/// What stays whole all the while is as if it were not sharded: weights that are kept for the whole step, and gradients
/// that are added up whole over several passes.
inline StateShards shards_of(const Point& point, const Mesh& mesh, std::int64_t passes, bool overlap_gathers) {
    const std::int64_t replicas = mesh.replicas(), experts = mesh.expert_ranks() > 1 ? mesh.expert_data() : replicas;
    const std::int64_t group = point.shard_group == 0 ? replicas : point.shard_group;
    if (std::max(experts, replicas) == 1 || (group == 1 && replicas > 1)) return {};
    StateShards states{point.sharded, replicas, experts};
    const bool weights = point.sharded == Sharded::weights, whole_step = weights && !point.reshard_after_backward;
    if (whole_step) states.sharded = Sharded::gradients;
    states.summed_whole = states.sharded >= Sharded::gradients && point.reduce_once && passes > 1;
    if (states.summed_whole && states.sharded == Sharded::gradients)
        states.sharded = Sharded::optimizer, states.summed_whole = false;
    states.kept = states.sharded == Sharded::weights && !point.reshard_after_forward;
    states.ahead = whole_step ||
                   (overlap_gathers && (states.sharded == Sharded::optimizer || states.sharded == Sharded::gradients));
    if (states.sharded == Sharded::nothing || group >= replicas) return states;
    states.ranks = group;
    states.groups = ceil_div(replicas, group);
    states.expert_ranks = mesh.expert_ranks() > 1 ? std::min(experts, expert_ranks_of(mesh, group)) : group;
    states.expert_groups = ceil_div(experts, states.expert_ranks);
    return states;
}

/// Whether replicas fill groups that divide sharded states, each with whole groups of experts or part of one.
inline bool groups_fit(const Point& point, const Degrees& degrees) {
    const std::int64_t group = point.replicas_in_group();
    return degrees.replicas() % group == 0 &&
           (point.expert_ranks() == 1 || group == 1 ||
            expert_ranks_of({.tensor = degrees.tensor, .expert = point.expert, .expert_tensor = point.expert_tensor},
                            group) > 0);
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

/// Weights sharded: every layer's weights are gathered before it computes, forward and, if they are not kept, again
/// backward, while the layer before it computes. After the layers are priced; `bytes` of the range is not used.
MessageSeconds gather_weights(const Plan& plan, int part, const GradientRange& range, const Point& point,
                              const Mesh& mesh, const LayerAxes* axes, Scratch& scratch);

/// What a device has gathered of its updated weights, in seconds.
struct UpdatedWeights {
    double sent = 0, waited = 0;
    double reached = 0;  ///< forward pass over the layers whose weights these were
};
/// Optimizer state or gradients sharded: each rank updates its shard, then all gather the trained weights of the layers
/// [from, to), in one message that is waited for. `StateShards::ahead`: in buckets, in the order of the layers; each is
/// waited for when the next forward pass reaches the first of its layers. Adds to `gathered`.
void gather_updated(const Plan& plan, int part, int from, int to, double samples, const Point& point, const Mesh& mesh,
                    const LayerAxes* axes, UpdatedWeights& gathered, Scratch& scratch);

}  // namespace scalescope
