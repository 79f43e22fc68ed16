// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "core/estimate/offload.hpp"
#include "core/estimate/sharded_axis.hpp"
#include "core/estimate/step.hpp"

namespace scalescope {

GradientSync send_sums_over_tensor(const Plan& plan, int part_index, int from, int to, const Point& point,
                                   const Mesh& mesh, const LayerAxes& axes, Scratch& s) {
    GradientSync sync;
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    // Over all ranks, then over those that have the same heads of keys.
    for (std::int64_t ranks = mesh.tensor, fewer = 1; ranks > 1; ranks = std::exchange(fewer, 1)) {
        double bytes = 0;
        int first = to, last = from;
        for (const auto& [l, of] : axes.sums_weights) {
            if (of < ranks) fewer = std::max(fewer, of);
            if (l < from || l >= to || of != ranks) continue;
            bytes +=
                part.work.gradient_bytes[static_cast<std::size_t>(l)] * axes.own_share(static_cast<std::size_t>(l));
            first = std::min(first, l);
            last = std::max(last, l);
        }
        if (bytes <= 0) continue;
        bytes /= s.division.states.of_gradients();
        const GroupReach group = ranks == mesh.tensor ? reach_of(mesh, MeshAxis::tensor, plan.links)
                                                      : reach_on_mesh({{{{ranks, 1}, {}}}}, mesh.devices(), plan.links);
        const MessageCost cost = message_cost(Message::all_reduce, point.collective, group, plan.links);
        const Seconds each = cost.at(Bytes{bytes});
        sync.total += each;
        sync.exposed += each;
        if (s.division.in_full)
            s.division.send({part_index, Message::all_reduce, cost.best(Bytes{bytes}).algorithm, first, last, false,
                             true, MeshAxis::tensor, When::blocking, group, 1, Bytes{bytes}, each},
                            part.count);
    }
    return sync;
}

namespace {

/// The step of a mesh, with what it needs of the layers.
StepParts divided_step(const Plan& plan, int part_index, const Point& point, const Mesh& mesh, bool even_experts,
                       const MicroSteps& steps, const MicroSteps& micro, Scratch& s) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const int n = part.work.layers;
    const double samples = static_cast<double>(micro.samples), repeat = static_cast<double>(steps.count);
    StepParts p;
    const LayerAxes* axes = nullptr;
    if (mesh.divides_layers()) {
        axes = divide_layers(plan, part_index, mesh, samples, point, s);
        p.infeasible = axes->infeasible;
        if (p.infeasible == Infeasible::no && !even_experts) p.infeasible = Infeasible::uneven_experts;
        if (p.infeasible != Infeasible::no) return p;
        s.division.shares = axes->shares();
        s.division.along = axes->along;
        s.division.context_along = axes->context_along;
        s.division.repeats = axes->repeats;
        s.division.crossing = axes->crossing;
        s.division.gradient_crossing = axes->gradient_crossing;
        s.division.scattered = axes->scattered;
    }
    if (mesh.pipeline > 1) return pipeline_step(plan, part_index, point, mesh, steps, micro, axes, s);

    PassTotals t;
    MessageSeconds sent;
    if (axes) {
        t = price_passes(part.work, 0, n, samples, s.division.shares, plan.device, s.times);
        sent = price_layer_messages(plan, part_index, axes->messages, axes->key, samples, steps.count, s, nullptr);
    } else {
        t = price_front(plan, part, n, samples, s);
    }
    const StateShards& states = s.division.states;
    p.forward = repeat * t.forward;
    p.backward = repeat * t.backward();
    MessageSeconds gathered = gather_weights(plan, part_index, {0, n, samples, {}, steps.count}, point, mesh, axes, s);
    gathered += copy_activations(plan, part_index, 0, n, samples, steps.count, point, mesh, axes, s);
    GradientSync each, sums;
    if (states.reduces_every_pass()) {
        each = reduce_over_replicas(plan, part_index, 0, n, samples, steps.count, point, mesh, axes, s);
        sums = sum_over_groups(plan, part_index, 0, n, samples, point, mesh, axes, s);
        sums.add(sum_over_tensor(plan, part_index, 0, n, point, mesh, axes, s));
    } else {
        sums = reduce_range(plan, part_index, 0, n, samples, point, mesh, axes, s);
    }
    UpdatedWeights updated;
    gather_updated(plan, part_index, 0, n, samples, point, mesh, axes, updated, s);
    p.communication = repeat * (sent.forward + sent.backward + gathered.forward + gathered.backward) +
                      repeat * each.exposed.value + sums.exposed.value + updated.waited;
    p.hidden = repeat * (sent.hidden + each.hidden().value + gathered.hidden) + sums.hidden().value +
               (updated.sent - updated.waited);
    const double trained = (axes ? axes->trained : part.trained) / states.of_optimizer() +
                           (axes ? axes->trained_experts / states.of_optimizer(1) : 0.0);
    p.update = price_update(trained, part.trained_layers, part.update, plan.device).value;
    // Stages count from 0, and a pipeline may have one.
    const int stage = point.fill == MeshAxis::pipeline ? 0 : -1;
    s.division.run({part_index, 0, n, samples, repeat, samples, axes != nullptr, stage});
    return p;
}

}  // namespace

/// Every worker has its share of the samples (data axis: docs/decisions/dividing-work.md), of the layers (pipeline
/// axes) and of each layer (tensor axes).
StepParts mesh_step(const Plan& plan, int part_index, const Point& point, const Batch& batch, Scratch& s) {
    const Degrees degrees = *mesh_of(point);
    Mesh mesh;
    mesh.tensor = degrees.tensor;
    mesh.context = degrees.context;
    mesh.expert = point.expert;
    mesh.expert_tensor = point.expert_tensor;
    mesh.data = std::min(degrees.data, batch.effective);
    mesh.pipeline = degrees.pipeline;
    mesh.order = order_of(plan.parallelism.axis_order);
    if (mesh.pipeline > plan.parts[static_cast<std::size_t>(part_index)].work.layers)
        return {.infeasible = Infeasible::too_many_for_layers};
    const MicroSteps steps = micro_steps(plan, batch);
    const MicroSteps micro = micro_steps(steps.samples, mesh.pipeline > 1 ? point.micro_batches : 1);
    s.division.states = shards_of(point, mesh, steps.count * micro.count, plan.parallelism.overlap_gathers);
    const StateShards& states = s.division.states;
    const bool even = degrees.tensor * degrees.context * degrees.data % mesh.expert_ranks() == 0;
    if (!mesh.order_suits_experts()) return {.infeasible = Infeasible::experts_apart};
    // Columns are priced as quickly as a piece is found.
    const bool columns = policy_of(point) == ShardingPolicy::columns;
    if (!tells_runs(s.division.told) && even) {
        if (mesh.pipeline > 1) {
            if (const auto known = known_pipeline_step(plan, part_index, point, mesh, steps, micro, s)) return *known;
        } else if (states.sharded != Sharded::nothing || (mesh.divides_layers() && !columns)) {
            auto& known = pieces_of(plan, 1, s).whole;
            const auto [at, is_new] =
                known.try_emplace(piece_key(part_index, point, mesh, micro.samples, states, steps.count));
            if (is_new) at->second = divided_step(plan, part_index, point, mesh, even, steps, micro, s);
            return at->second;
        }
    }
    return divided_step(plan, part_index, point, mesh, even, steps, micro, s);
}

}  // namespace scalescope
