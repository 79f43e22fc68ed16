// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/memory.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/format.hpp"
#include "core/estimate/memory_walk.hpp"
#include "core/estimate/offload.hpp"
#include "core/estimate/recompute_modules.hpp"
#include "core/estimate/servers.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope {

namespace {

/// Where `samples` fill fewer than the pieces wanted, or do not divide by those they fill.
template <class Note>
void note_pieces(std::int64_t samples, std::int64_t wanted, std::int64_t count, std::int64_t each, const char* pieces,
                 const char* where, Note note) {
    const std::string batch = "batch of " + format_count(samples);
    if (count < wanted)
        note("Of " + format_count(wanted) + ' ' + pieces + ", a " + batch + " fills only " + format_count(count) + '.',
             where, "lower their number, or choose a larger batch");
    if (count * each != samples)
        note("A " + batch + " does not divide by " + format_count(count) + ' ' + pieces + ": it counts as " +
                 format_count(count * each) + '.',
             where, "choose a batch that divides");
}

template <class Note>
void note_micro_steps(const Plan& plan, const Estimate& e, Note note) {
    const Batch& batch = e.summary.batch;
    const MicroSteps steps = micro_steps(plan, batch);
    note_pieces(batch.per_replica, plan.training.accumulation, steps.count, steps.samples, "micro-steps",
                "training.accumulation", note);
    if (e.point.degrees()->pipeline == 1) return;
    const MicroSteps m = micro_batches(plan, e.point, batch);
    note_pieces(steps.samples, e.point.micro_batches, m.count, m.samples, "micro-batches", "parallelism.micro_batches",
                note);
}

/// Of these modules, those that no network has.
unsigned missing_of(const Plan& plan, unsigned modules) {
    for (const PlanPart& part : plan.parts)
        if (modules != 0)
            for (const ModulePiece& piece : part.network->found(find_modules)) modules &= ~bit_of(piece.module);
    return modules;
}

/// Something is to be on the host, but is not.
template <class Note>
void note_offloading(const Scenario& scenario, const Plan& plan, const Point& point, Note note) {
    const Parallelism& p = scenario.parallelism;
    const Recompute asked = p.offload_activations;
    const char* where = asked == Recompute::nothing ? "parallelism.offload_states" : "parallelism.offload_activations";
    if (asked == Recompute::nothing && p.offload_states.value <= 0) return;
    if (plan.links.host.value <= 0)
        return note(
            "The link to the host of a " + scenario.cluster.device.name + " is not known: all stays on the device.",
            where, "give cluster.host_link_gb_s, such as 64 for PCIe 5.0 x16");
    if (updates_alone(point) && p.offload_states.value > 0)
        note("Parameter servers keep the optimizer states: none are on the host.", "parallelism.offload_states",
             "update in step, or offload nothing");
    if (asked == Recompute::nothing) return;
    if (!may_offload(point))
        return note("Activations stay on the device with a hybrid strategy and with parameter servers.", where,
                    "divide the work in another way, or offload nothing");
    if (const unsigned missing = missing_of(plan, modules_of(asked)); missing != 0)
        note("The network has no layers of " + recompute_text(recompute_modules(missing)) +
                 ", so nothing of that is on the host.",
             where, "leave it out, or offload blocks instead");
    else if (std::all_of(plan.parts.begin(), plan.parts.end(),
                         [](const PlanPart& part) { return part.hosted.empty(); }))
        note("Nothing is kept that could wait on the host.", where, "offload blocks, or nothing");
}

/// Recomputation is selected, but not of any layer, or of fewer than it says.
template <class Note>
void note_recomputation(const Plan& plan, Note note) {
    const Recompute asked = plan.point.recompute;
    const unsigned modules = modules_of(asked);
    const unsigned missing = missing_of(plan, modules);
    if (missing != 0)
        note("The network has no layers of " + recompute_text(recompute_modules(missing)) +
                 ", so nothing is recomputed for that.",
             "parallelism.recompute", "leave it out, or recompute blocks instead");
    constexpr unsigned inside = bit_of(RecomputeModule::moe_act);
    if ((modules & inside) != 0 && (modules & bit_of(RecomputeModule::moe)) != 0 && missing == 0)
        note("Recomputing moe includes moe_act.", "parallelism.recompute", "leave out one of them");
    const auto recomputes = [](const PlanPart& part) { return !part.blocks.empty(); };
    if (asked == Recompute::nothing || modules != 0 || std::any_of(plan.parts.begin(), plan.parts.end(), recomputes))
        return;
    if (asked == Recompute::attention)
        note("No attention layer keeps its scores, so nothing is recomputed.", "parallelism.recompute",
             "recompute blocks instead; fused attention recomputes its scores anyway");
    else if (asked == Recompute::layers)
        note("No layers are named, so nothing is recomputed.", "parallelism.recompute_layers",
             "name the layers, or recompute blocks instead");
    else if (counts_blocks(asked) && plan.point.recompute_count != 1)
        note("Counted like this, no block is recomputed.", "parallelism.recompute_count",
             "choose another number of blocks");
    else
        note("The layer names show no blocks worth recomputing.", "parallelism.recompute",
             "give the layers of a block a common prefix, as in \"block1/conv\", or switch recomputation off");
}

/// A recipe is chosen, but is for no layer.
template <class Note>
void note_recipe(const Plan& plan, Note note) {
    const auto any = [](const PlanPart& part) {
        return std::any_of(part.work.narrow.begin(), part.work.narrow.end(), [](char narrow) { return narrow != 0; });
    };
    if (plan.device.narrow && std::none_of(plan.parts.begin(), plan.parts.end(), any))
        note("No block of layers is found that is not to stay wide, so no linear layer is multiplied in " +
                 std::string(name_of(plan.device.narrow->precision)) + '.',
             "training.precision",
             "give the layers of a block a common prefix, as in \"block1/dense\", or choose a wider precision");
}

void fill_rows(const Estimate& e, MemoryScratch& m) {
    m.rows.clear();
    m.states = e.states;
    for (const LayerEstimate& row : e.layers)
        m.rows.push_back({row.part, row.position, row.stage, row.samples, row.kept_samples, row.shares});
}

}  // namespace

MemoryEstimate memory_of(const Plan& plan, Estimate& e, Scratch& scratch) {
    fill_rows(e, scratch.memory);
    const MemoryScratch::Device fullest = walk_memory(plan, e.point, scratch.memory);
    for (std::size_t r = 0; r < e.layers.size(); ++r) {
        LayerEstimate& row = e.layers[r];
        row.kept = Bytes{kept_by(scratch.memory, r)};
        row.recomputed = Bytes{recomputed_by(scratch.memory, r)};
        row.block = scratch.memory.rows[r].block;
    }
    return memory_estimate(fullest);
}

MemoryEstimate memory_estimate(const MemoryScratch::Device& device) {
    return {Bytes{device.weights},
            Bytes{device.gradients},
            Bytes{device.optimizer},
            Bytes{device.activations},
            Bytes{peak_of(device)},
            device.stage,
            device.whole,
            device.part,
            device.layer,
            device.trainer,
            Bytes{device.copies},
            Bytes{device.on_host},
            Bytes{device.arriving}};
}

std::vector<KeptTensor> kept_tensors(const Plan& plan, const Estimate& e) {
    MemoryScratch m;
    fill_rows(e, m);
    walk_memory(plan, e.point, m);
    return std::move(m.kept);
}

std::array<Bytes, memory_parts> parts_of(const MemoryEstimate& m) {
    const Bytes other = m.trainer.all_the_time(), logits = m.trainer.logits,
                held = m.weights + m.gradients + m.optimizer + other;
    return {m.weights, m.gradients, m.optimizer, m.peak - held - logits, logits, other};
}

bool fits_device(const Scenario& scenario, const MemoryEstimate& memory) {
    const auto room = worker_memory(scenario);
    return !room || memory.peak <= *room;
}

namespace {

/// "activations 210 GB, optimizer states 14 GB, weights 5 GB": the three largest; live tensors count as activations.
std::string largest_parts(const MemoryEstimate& m) {
    const auto [weights, gradients, optimizer, activations, logits, trainer] = parts_of(m);
    std::vector<std::pair<Bytes, const char*>> parts{{weights, "weights"},
                                                     {gradients, "gradients"},
                                                     {optimizer, "optimizer states"},
                                                     {trainer, "what the trainer holds"},
                                                     {activations + logits, "activations"}};
    std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::string text;
    for (std::size_t i = 0; i < 3; ++i)
        if (parts[i].first.value > 0)
            text += (i == 0 ? "" : ", ") + std::string(parts[i].second) + ' ' + format_bytes(parts[i].first);
    return text;
}

}  // namespace

void add_notes(const Scenario& scenario, const Plan& plan, Estimate& e, Scratch& scratch, Remedies remedies) {
    auto note = [&](std::string what, const char* where, std::string remedy) {
        e.notes.push_back({Severity::warning, std::move(what), where, std::move(remedy), {}});
    };
    if (!fits_device(scenario, e.memory))
        note((e.stages.empty() ? "The step" : "Stage " + std::to_string(e.memory.stage + 1)) + " needs " +
                 format_bytes(e.memory.peak) + " on a device of " + format_bytes(*scenario.cluster.device.memory) +
                 ": " + largest_parts(e.memory) + '.',
             "cluster.device",
             remedies == Remedies::tried ? memory_remedy(scenario, plan, e, *scenario.cluster.device.memory, scratch)
                                         : "choose devices with " + format_bytes(e.memory.peak) + " or more");
    if (plan.paleo) {
        const auto unheard = unheard_by_paleo(scenario);
        std::string list;
        for (std::size_t i = 0; i < unheard.size(); ++i)
            list += (i == 0 ? "" : i + 1 == unheard.size() ? " and " : ", ") + unheard[i];
        if (!list.empty())
            note("PALEO does not know " + list + ": its numbers are without.", "model.method",
                 "choose the pipeline model to have them counted");
    }
    if (!plan.paleo)  // which prices what it does not know at nothing, and says so
        for (const PlanPart& part : plan.parts)
            if (const std::string text = about_unknown_kinds(*part.network); !text.empty())
                note(text, "workload",
                     "give them a kind that the program knows, or take their part of the step as a guess");
    const std::int64_t replicas = e.point.degrees()->data;
    const bool in_replicas = fills_data(e.point) && replicas > 1;
    if (in_replicas && e.summary.batch.active < e.point.workers)
        note("Only " + std::to_string(e.summary.batch.active) + " of " + std::to_string(e.point.workers) +
                 " workers have a sample to work on.",
             "cluster.workers", "use fewer workers or a larger batch");
    else if (in_replicas && scenario.training.batch_rule == BatchRule::total && scenario.training.batch % replicas != 0)
        note("The batch of " + std::to_string(scenario.training.batch) + " does not divide by " +
                 std::to_string(replicas) + (replicas == e.point.workers ? " workers" : " replicas") +
                 ": the busiest has " + std::to_string(e.summary.batch.per_replica) +
                 (e.servers ? ", and all count as busy as that." : ", the others wait."),
             "training.batch", "choose a batch that divides");
    if (e.servers && static_cast<double>(e.summary.batch.active) > e.servers->state.knee)
        note("The parameter servers are the limit from " +
                 format_count(static_cast<std::int64_t>(std::ceil(e.servers->state.knee))) + " workers on; there are " +
                 format_count(e.summary.batch.active) + ", who wait for them.",
             "parallelism.servers", "add parameter servers, choose faster links between nodes, or use fewer workers");
    const std::int64_t sharing = e.point.sharing();
    const auto uneven = [&](const LayerEstimate& l) {
        return l.shares.outputs < 1 && l.shares.outputs * static_cast<double>(sharing) > 1 + 1e-9;
    };
    if (sharing > 1 && policy_of(e.point) == ShardingPolicy::columns &&
        std::any_of(e.layers.begin(), e.layers.end(), uneven))
        note("Some layers' outputs do not divide by " + std::to_string(sharing) +
                 " workers: the busiest has the rounded-up share.",
             "cluster.workers", "choose a count that divides them");
    if (!plan.paleo) note_micro_steps(plan, e, note);
    if (!plan.paleo) note_recomputation(plan, note);
    note_recipe(plan, note);
    if (!plan.paleo) note_offloading(scenario, plan, e.point, note);
    if (e.states.kept && e.point.degrees()->pipeline > 1)
        note(
            "Weights that stay until the backward pass are whole for nearly the whole step in a pipeline: sharding "
            "them "
            "saves no memory.",
            "parallelism.reshard_after_forward", "reshard after forward, or shard gradients instead");
    if (e.point.collective == Collective::parameter_server && !updates_alone(e.point) && e.efficiency > 1 + 1e-9 &&
        e.baseline.communication.value > 0)
        note("One worker sends its gradients to the parameter server too, which takes " +
                 format_time(e.baseline.communication) + " of its step of " + format_time(e.baseline.step) +
                 "; the speedup is against that.",
             "parallelism.collective", "compare it with care, or choose another collective");
    if (scenario.parallelism.collective == Collective::butterfly_mixing && e.point.workers > 1 && fills_data(e.point))
        note("Butterfly mixing exchanges with one partner only: another algorithm than averaging over all workers.",
             "parallelism.collective", "compare it with care");
    if (scenario.training.batch_rule == BatchRule::total &&
        scenario.parallelism.boundaries.size() + 1 != static_cast<std::size_t>(e.point.degrees()->pipeline) &&
        e.point.degrees()->pipeline > 1 && !scenario.parallelism.boundaries.empty())
        note("The stage boundaries are for " + std::to_string(scenario.parallelism.boundaries.size() + 1) +
                 " stages; " + std::to_string(e.point.degrees()->pipeline) + " stages are set automatically instead.",
             "parallelism.boundaries", "set boundaries for this count");
    if (!worker_memory(scenario))
        note(worker_name(scenario) + " has no figure for its memory, so it was not checked whether the step fits.",
             "cluster.device", "set the memory of the device");
}

}  // namespace scalescope
