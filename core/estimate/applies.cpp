// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/applies.hpp"

#include <algorithm>
#include <utility>

#include "core/estimate/goodput.hpp"
#include "core/estimate/recompute.hpp"
#include "core/parallel/mesh.hpp"
#include "core/scenario/hardware.hpp"
#include "core/scenario/recompute_choice.hpp"

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

bool applies(std::string_view path, const Scenario& scenario) {
    using Rule = bool (*)(const Scenario&);
    static constexpr Rule of_devices = [](const Scenario& s) { return !is_cpu_cluster(s); };
    static constexpr Rule of_recipes = [](const Scenario& s) { return traits_of(s.training.precision).is_recipe(); };
    static constexpr Rule unsynchronized = [](const Scenario& s) {
        return s.parallelism.updates == Updates::asynchronous;
    };
    static constexpr Rule on_host = [](const Scenario& s) {
        return s.model.method == Method::pipeline && !s.parallelism.segments &&
               s.parallelism.updates == Updates::synchronous;
    };
    static constexpr Rule interrupted = [](const Scenario& s) { return s.reliability.fails(); };
    static constexpr std::pair<std::string_view, Rule> rules[] = {
        {"training.precision",
         [](const Scenario& s) { return of_devices(s) || s.training.precision != Precision::fp32; }},
        {"training.optimizer",
         [](const Scenario& s) { return of_devices(s) || s.training.optimizer != Optimizer::sgd; }},
        {"training.accumulation", [](const Scenario& s) { return of_devices(s) || s.training.accumulation != 1; }},
        {"training.wide_first", of_recipes},
        {"training.wide_last", of_recipes},
        {"parallelism.recompute_count", [](const Scenario& s) { return counts_blocks(s.parallelism.recompute); }},
        {"parallelism.shard_group", [](const Scenario& s) { return s.parallelism.sharded != Sharded::nothing; }},
        {"parallelism.reshard_after_forward",
         [](const Scenario& s) { return s.parallelism.sharded == Sharded::weights; }},
        {"parallelism.reduce_once", [](const Scenario& s) { return s.parallelism.sharded >= Sharded::gradients; }},
        {"parallelism.offload_states",
         [](const Scenario& s) { return on_host(s) || s.parallelism.offload_states.value > 0; }},
        {"parallelism.offload_activations",
         [](const Scenario& s) { return on_host(s) || s.parallelism.offload_activations != Recompute::nothing; }},
        {"reliability.device_mtbf_h", [](const Scenario& s) { return has_goodput(s) || s.reliability.fails(); }},
        {"reliability.restart_s", interrupted},
        {"reliability.checkpoint_gb_s", interrupted},
        {"parallelism.bucket_mb", of_devices},
        {"cluster.nics_per_node", of_devices},
        {"model.overlap_memory", of_devices},
        {"model.convolution", of_devices},
        {"model.launch_us", of_devices},
        {"model.overhead_ms", of_devices},
        {"model.compute", of_devices},
        {"model.memory", of_devices},
        {"model.between", of_devices},
        {"model.inside", [](const Scenario& s) { return of_devices(s) && s.cluster.devices_per_node > 1; }},
        {"model.staleness_cost",
         [](const Scenario& s) {
             return s.model.method == Method::pipeline && fills_data(s.parallelism) && unsynchronized(s);
         }},
        {"cpu.wait_for_servers", unsynchronized},
        {"cpu.queueing", unsynchronized},
    };
    if (path.starts_with("cpu.") && of_devices(scenario)) return false;
    const auto* rule = std::find_if(std::begin(rules), std::end(rules), [&](const auto& r) { return r.first == path; });
    return rule == std::end(rules) || rule->second(scenario);
}

}  // namespace scalescope
