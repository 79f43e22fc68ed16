// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/applies.hpp"

#include <algorithm>

#include "core/estimate/recompute.hpp"
#include "core/parallel/mesh.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope {

Applies what_applies(const Scenario& s) {
    const Parallelism& p = s.parallelism;
    const Network* network = s.network();
    const auto any_layer = [&](auto is) {
        return network && std::any_of(network->facts().begin(), network->facts().end(), is);
    };
    const auto degrees = degrees_of(s);
    const bool pipeline = s.model.method == Method::pipeline, alone = p.updates == Updates::asynchronous;
    Applies a;
    a.cpu = is_cpu_cluster(s);
    a.segments = p.segments;
    a.may_be_asynchronous = pipeline && (fills_data(p) || alone);
    a.asynchronous = a.may_be_asynchronous && alone;
    const bool meshes = pipeline && s.workload.size() <= 1 && !p.segments && !alone;
    a.meshes = meshes || (!a.cpu && p.tensor * p.pipeline * p.context > 1);
    a.divided = meshes && (degrees ? degrees->tensor : p.tensor) > 1;
    a.sequence = a.divided && policy_of(p) == ShardingPolicy::trainer &&
                 any_layer([](const LayerFacts& f) { return f.along(ShardAlong::positions) > 1; });
    const bool cuts_positions = meshes && policy_of(p) != ShardingPolicy::columns;
    a.context_axis = p.context > 1 || (cuts_positions &&
                                       any_layer([](const LayerFacts& f) { return f.along(ShardAlong::queries) > 1; }));
    a.context = (degrees ? degrees->context : p.context) > 1;
    a.dispatch = p.expert_ranks() > 1;
    a.experts = a.dispatch || (cuts_positions && any_layer([](const LayerFacts& f) { return f.experts.count > 0; }));
    a.stages = !a.cpu && (p.fill == MeshAxis::pipeline || has_stages(s));
    a.chunks = a.stages && has_chunks(p.order);
    const bool priced = pipeline && !p.segments;
    a.recompute = p.recompute != Recompute::nothing || (priced && network && can_recompute(*network));
    a.shards = p.sharded != Sharded::nothing || (priced && !alone && degrees && degrees->replicas() > 1);
    const bool only_stages = p.fill == MeshAxis::pipeline && degrees && degrees->pipeline == s.cluster.workers;
    a.reduces = !a.cpu && !only_stages;
    a.overlaps = pipeline && !a.asynchronous && p.fill == MeshAxis::data;
    if (meshes && degrees) a.axes = static_cast<int>(laid_out(p.axis_order, *degrees).axes.size());
    return a;
}

}  // namespace scalescope
