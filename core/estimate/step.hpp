// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/plan.hpp"
#include "core/schedule/buckets.hpp"

namespace scalescope {

/// Point::degrees without a call where all workers are on one axis: score() is asked for millions of them.
inline std::optional<Degrees> mesh_of(const Point& p) {
    if (!p.none()) return p.degrees();
    Degrees degrees;
    degrees.of(p.fill) = p.workers;
    return degrees;
}

/// Prices the step of one network and adds how it is divided to `Scratch::division`; score.cpp says which does it.
using StepFunction = StepParts (*)(const Plan&, int part, const Point&, const Batch&, Scratch&);
/// All axes of the mesh together (mesh_step.cpp).
StepParts mesh_step(const Plan&, int part, const Point&, const Batch&, Scratch&);
StepParts hybrid_step(const Plan&, int part, const Point&, const Batch&, Scratch&);
/// Instead of mesh_step, with asynchronous updates.
StepParts asynchronous_step(const Plan&, int part, const Point&, const Batch&, Scratch&);
StepParts paleo_data_step(const Plan&, int part, const Point&, const Batch&, Scratch&);

/// Forward and backward of the layers [0, to), whole, for `samples` samples; the times of the layers go into
/// `scratch.times` only where somebody needs them (a division in full, or no lines to price by).
inline PassTotals price_front(const Plan& plan, const PlanPart& part, int to, double samples, Scratch& scratch) {
    if (part.lines && !scratch.division.in_full) return part.lines.totals(0, to, samples);
    const PassTotals priced = price_passes(part.work, 0, to, samples, {}, plan.device, scratch.times);
    return part.lines ? part.lines.totals(0, to, samples) : priced;
}

/// What a device computes, layer by layer, in one pass over the network. `backward_inputs`: what is left of the
/// backward pass where the gradients of weights have a pass of their own.
enum class LayerPass : std::uint8_t { forward, backward, backward_inputs };

inline LayerPass pass_beside(bool forward, const Point& point, const Mesh& mesh) {
    if (forward) return LayerPass::forward;
    return mesh.pipeline > 1 && splits_backward(point.order) ? LayerPass::backward_inputs : LayerPass::backward;
}
/// Seconds of the layers [from, to) in one pass over the network, after price_front if they are `whole`, or with
/// `scratch.times`.
inline double work_of(const PlanPart& part, int from, int to, double samples, LayerPass pass, bool whole,
                      const Scratch& scratch) {
    if (part.lines && whole) {
        const PassTotals t = part.lines.totals(from, to, samples);
        if (pass == LayerPass::forward) return t.forward;
        return pass == LayerPass::backward ? t.backward() : t.grad_input + t.recompute;
    }
    double sum = 0;
    for (auto l = static_cast<std::size_t>(from); l < static_cast<std::size_t>(to); ++l) {
        if (pass == LayerPass::forward)
            sum += scratch.times.pass[0][l];
        else if (pass == LayerPass::backward)
            sum += backward_of(part.work, scratch.times, l);
        else
            sum += scratch.times.pass[1][l] + recompute_of(part.work, scratch.times, l);
    }
    return sum;
}

/// Layers [from, to) whose gradients are added up, after the backward pass of `samples` samples. `bytes`: by layer, on
/// one worker; empty where it has all of each layer.
struct GradientRange {
    int from = 0, to = 0;
    double samples = 1;
    std::span<const double> bytes{};
    std::int64_t times = 1;                  ///< how often in a step; a sum of them is that of one
    std::span<const double> expert_bytes{};  ///< by layer, beside `bytes`: of experts, which another group adds up
    GroupReach expert_group{};
};
/// What of an all-reduce of `ranks` workers may hide under the backward pass, and what that costs.
inline Hiding hiding_of(const Plan& plan, Collective collective, std::int64_t ranks) {
    return {share_under_backward(collective), plan.interference, ranks > 1 ? plan.copying : 0.0};
}
/// All-reduce of those gradients, as the plan overlaps it, after price_front, or with `scratch.times`. `cost` is that
/// of the whole message, `of_experts` of one of experts'; buckets in `sink` are of the share that may hide. Copies of
/// gradients count among what is exposed.
GradientSync sync_gradients_of(const Plan& plan, const PlanPart& part, const GradientRange& range,
                               const MessageCost& cost, const Hiding& hiding, Scratch& scratch, BucketSink* sink,
                               const MessageCost* of_experts = nullptr);
/// The same over `group`, with the messages in the division, if that is wanted in full.
GradientSync send_gradients(const Plan& plan, int part, const GradientRange& range, const Point& point,
                            const GroupReach& group, Scratch& scratch);

/// The same over the replicas, or those that keep one copy together, of the layers [from, to) after one backward pass,
/// `times` times in a step (one of them is returned). `axis` may be null.
inline GradientSync reduce_over_replicas(const Plan& plan, int part, int from, int to, double samples,
                                         std::int64_t times, const Point& point, const Mesh& mesh,
                                         const LayerAxes* axes, Scratch& scratch) {
    // One worker alone has its parameter server too.
    const bool alone = mesh.replicas() == 1 && mesh.devices() > 1;
    const StateShards& states = scratch.division.states;
    if (!axes || axes->experts.empty()) {
        if (alone) return {};
        return send_gradients(plan, part,
                              {from, to, samples, axes ? axes->gradient_bytes : std::span<const double>{}, times},
                              point, states.within(mesh, plan.links, false), scratch);
    }
    return send_gradients(
        plan, part,
        {from, to, samples, axes->gradient_bytes, times, axes->expert_bytes, states.within(mesh, plan.links, true)},
        point, states.within(mesh, plan.links, false), scratch);
}
/// States sharded within groups: the shards that those have added up, once a step, of the layers [from, to). After
/// their last backward pass, in the time in which reduce_over_replicas leaves the link idle.
GradientSync sum_over_groups(const Plan& plan, int part, int from, int to, double samples, const Point& point,
                             const Mesh& mesh, const LayerAxes* axes, Scratch& scratch);
/// The same over the tensor axis, once a step, of the layers of which each rank has a summand.
GradientSync send_sums_over_tensor(const Plan& plan, int part, int from, int to, const Point& point, const Mesh& mesh,
                                   const LayerAxes& axes, Scratch& scratch);
inline GradientSync sum_over_tensor(const Plan& plan, int part, int from, int to, const Point& point, const Mesh& mesh,
                                    const LayerAxes* axes, Scratch& scratch) {
    return axes ? send_sums_over_tensor(plan, part, from, to, point, mesh, *axes, scratch) : GradientSync{};
}
/// Over the replicas and their groups, and over the tensor axis.
inline GradientSync reduce_range(const Plan& plan, int part, int from, int to, double samples, const Point& point,
                                 const Mesh& mesh, const LayerAxes* axes, Scratch& scratch) {
    GradientSync sync = reduce_over_replicas(plan, part, from, to, samples, 1, point, mesh, axes, scratch);
    sync.add(sum_over_groups(plan, part, from, to, samples, point, mesh, axes, scratch));
    sync.add(sum_over_tensor(plan, part, from, to, point, mesh, axes, scratch));
    return sync;
}

/// The pieces that are known of the plan's prices, with room for more of `stages`.
inline KnownPieces::Maps& pieces_of(const Plan& plan, std::size_t stages, Scratch& scratch) {
    auto& pieces = scratch.pieces;
    // What is told in full needs room for itself alone.
    const std::size_t wanted = scratch.division.in_full ? 16384 + 512 * stages : KnownPieces::most;
    if (!pieces || pieces->room.size() < wanted) pieces = std::make_unique<KnownPieces>(wanted);
    return pieces->of(plan.prices, stages);
}
/// How states are sharded; 0 for nothing.
inline std::int64_t sharding_key(const Point& point, const StateShards& states) {
    if (states.sharded == Sharded::nothing) return 0;
    return point.shard_group << 32 | (states.ahead ? 16 : 0) | (states.summed_whole ? 8 : 0) | (states.kept ? 4 : 0) |
           static_cast<std::int64_t>(states.sharded);
}
/// All that a piece of a mesh follows from, for one set of prices; `other`: what else, below 2^32.
inline PieceKey piece_key(int part, const Point& point, const Mesh& mesh, std::int64_t samples,
                          const StateShards& states, std::int64_t other) {
    const auto choices = static_cast<std::int64_t>(point.collective) << 16 |
                         static_cast<std::int64_t>(policy_of(point)) << 8 | sharding_key(point, states);
    return {std::int64_t{part} << 32 | other,
            mesh.tensor,
            mesh.context,
            mesh.expert << 32 | mesh.expert_tensor,
            mesh.data,
            mesh.pipeline,
            samples,
            choices,
            point.recomputation().key()};
}

/// How the layers from `from` on are divided over the tensor and the context axis of the mesh, in the scratch. Columns
/// alone may leave layers in front whole.
const LayerAxes* divide_layers(const Plan& plan, int part, const Mesh& mesh, double samples, const Point& point,
                               Scratch& scratch, int from = 0);
/// Prices messages between those groups for `samples` samples, sent `times` times in a step, after the layers.
/// `by_layer`, if there is one, gets those of each layer added.
MessageSeconds price_layer_messages(const Plan& plan, int part, std::span<const TensorMessage> messages,
                                    const LayerAxes::Key& groups, double samples, std::int64_t times, Scratch& scratch,
                                    std::vector<MessageSeconds>* by_layer);

/// Splitting by outputs: which tensors move, and what the busiest worker holds of each class. What depends on the
/// number of workers is written into `scratch`, for layers from `from` on.
const OutputMoves& prepare_outputs(const PlanPart& part, int from, std::int64_t workers, Scratch& scratch);
/// Bytes per sample of the message, after prepare_outputs. Pieces that are not even count as if all workers held as
/// much as the busiest: every step of a collective waits for the largest.
inline double bytes_of(const PlanPart& part, int tensor, OutputMove move, std::int64_t workers,
                       const std::vector<double>& busiest) {
    const auto t = static_cast<std::size_t>(tensor), c = static_cast<std::size_t>(part.outputs->class_of[t]);
    if (move > OutputMove::scatter) return part.work.out_bytes[t];
    // first the bytes of one channel: a whole number, so that the product is exact
    return part.work.out_bytes[t] / part.outputs->classes[c].channels * (busiest[c] * static_cast<double>(workers));
}

/// Where the stages of a pipeline lie in the mesh, what they compute and what they send.
StepParts pipeline_step(const Plan& plan, int part, const Point& point, const Mesh& mesh, const MicroSteps& steps,
                        const MicroSteps& micro_batches, const LayerAxes* axes, Scratch& scratch);

/// The same of pieces that the scratch knows; nothing if it lacks one. The division has no runs.
std::optional<StepParts> known_pipeline_step(const Plan& plan, int part, const Point& point, const Mesh& mesh,
                                             const MicroSteps& steps, const MicroSteps& micro_batches,
                                             Scratch& scratch);

/// The cut of a hybrid step that takes least time, the first one of those that take the same; the number of layers
/// (data parallel) if no other is feasible. Looks at all cuts at once, in time linear in the layers.
int cheapest_cut(const Plan& plan, int part, const Point& point, const Batch& batch, Scratch& scratch);

}  // namespace scalescope
