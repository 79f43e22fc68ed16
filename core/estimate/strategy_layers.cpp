// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/estimate/step.hpp"
#include "core/schedule/fill_drain.hpp"

namespace scalescope {
namespace {

/// All-reduce of the gradients of weights that several stages hold a copy of, one after the other when all stages are
/// done (as Megatron-LM does for tied embeddings; docs/decisions/shared-weights.md).
double sync_copies(const Plan& plan, int part_index, const Point& point, std::span<const int> borders,
                   DividedStep& division) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const auto uses = part.network->weight_uses();
    double total = 0;
    for (std::size_t i = 0; i < uses.size();) {
        const int owner = uses[i].owner, first = stage_at(borders, owner);
        int last = first;
        std::int64_t ranks = 1;
        for (; i < uses.size() && uses[i].owner == owner; ++i) {
            const int stage = stage_at(borders, uses[i].layer);
            ranks += stage != last ? 1 : 0;
            last = stage;
        }
        const Bytes bytes{part.work.gradient_bytes[static_cast<std::size_t>(owner)]};
        if (ranks == 1 || bytes.value <= 0) continue;
        const GroupReach group = reach_of_stages(ranks, first, last, 1, plan.links);
        const MessageCost cost = message_cost(Message::all_reduce, point.collective, group, plan.links);
        const Seconds each = cost.at(bytes);
        total += each.value;
        if (division.in_full)
            division.send({part_index, Message::all_reduce, cost.best(bytes).algorithm, owner, owner, false, true,
                           MeshAxis::pipeline, When::blocking, group, 1, bytes, each},
                          part.count);
    }
    return total;
}

}  // namespace

/// Split by layers: contiguous stages on different workers, fill and drain with micro-batches (GPipe, Huang et
/// al., NeurIPS 2019; docs/decisions/dividing-work.md).
/// Seen from the busiest stage: what it does not compute, wait for links or update is idle time.
StepParts layers_step(const Plan& plan, int part_index, const Point& point, const Batch& batch, Scratch& s) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const int n = part.work.layers;
    if (point.workers == 1) {
        const StepParts alone = data_step(plan, part_index, point, batch, s);
        s.division.runs.back().stage = 0;
        return alone;
    }
    StepParts p;
    if (point.workers > n) {
        p.infeasible = Infeasible::too_many_for_layers;
        return p;
    }
    const int stages = static_cast<int>(point.workers);
    const std::int64_t steps = micro_steps(batch.effective, plan.training.accumulation).count;
    const double repeat = static_cast<double>(steps);
    const MicroBatches micro_batch = micro_batches(plan, batch);
    const std::int64_t batches = micro_batch.count, times = batches * steps;
    const double samples = micro_batch.samples;
    if (s.division.in_full || !part.lines) price_passes(part.work, 0, n, samples, {}, plan.device, s.times);
    s.layer_total.resize(static_cast<std::size_t>(n));
    for (std::size_t l = 0; l < s.layer_total.size(); ++l)
        s.layer_total[l] = part.lines ? part.lines.layer(static_cast<int>(l), samples, 1.0, 1.0)
                                      : s.times.pass[0][l] + (s.times.pass[1][l] + s.times.pass[2][l]);
    if (static_cast<int>(plan.boundaries.size()) + 1 == stages) {
        s.borders.assign(1, 0);
        s.borders.insert(s.borders.end(), plan.boundaries.begin(), plan.boundaries.end());
        s.borders.push_back(n);
    } else {
        balance_stages(s.layer_total, stages, s.prefix, s.borders);
    }
    const auto count = static_cast<std::size_t>(stages);
    s.stage_forward.resize(count);
    s.stage_backward.resize(count);
    s.activation.resize(count);
    s.gradient.resize(count);
    std::size_t busiest = 0;
    double largest_update = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto first = static_cast<std::size_t>(s.borders[i]), end = static_cast<std::size_t>(s.borders[i + 1]);
        double forward = 0, backward = 0;
        if (part.lines) {
            const PassTotals t = part.lines.totals(s.borders[i], s.borders[i + 1], samples);
            forward = t.forward, backward = t.backward();
        } else {
            for (std::size_t l = first; l < end; ++l) {
                forward += s.times.pass[0][l];
                backward += s.times.pass[1][l] + s.times.pass[2][l];
            }
        }
        double trained = part.trained_before[end] - part.trained_before[first];
        int operations = part.trained_layers_before[end] - part.trained_layers_before[first];
        for (const WeightUse& use : part.network->weight_uses()) {  // a copy of weights of an earlier stage
            if (use.layer < s.borders[i] || use.layer >= s.borders[i + 1] || use.previous >= s.borders[i]) continue;
            const double copied = part.work.trained[static_cast<std::size_t>(use.owner)];
            trained += copied;
            operations += copied > 0 ? 1 : 0;
        }
        s.stage_forward[i] = forward;
        s.stage_backward[i] = backward;
        if (forward + backward > s.stage_forward[busiest] + s.stage_backward[busiest]) busiest = i;
        largest_update = std::max(largest_update, price_update(trained, operations, plan.update, plan.device).value);
        const auto border = static_cast<std::size_t>(s.borders[i + 1]);
        const LinearCost link = neighbour_cost(static_cast<std::int64_t>(i), 1, plan.links);
        auto transfer = [&](double bytes) {
            return bytes > 0 && i + 1 < count ? link.at(Bytes{bytes * samples}).value : 0.0;
        };
        s.activation[i] = transfer(part.crossings.activations[border]);
        s.gradient[i] = transfer(part.crossings.gradients[border]);
    }
    const FillDrain pipeline = fill_drain({s.stage_forward, s.stage_backward, s.activation, s.gradient}, batches);
    for (std::size_t i = 0; s.division.in_full && i + 1 < count; ++i) {
        const auto stage = static_cast<std::int64_t>(i);
        const GroupReach group = reach_of_stages(2, stage, stage + 1, 1, plan.links);
        const int border = s.borders[i + 1];
        const auto k = static_cast<std::size_t>(border);
        auto tell = [&](int layer, bool forward, double bytes, double seconds, double waited) {
            if (seconds > 0)
                s.division.send({part_index, Message::point_to_point, Collective::ring, layer, layer, forward, false,
                                 MeshAxis::pipeline, When::at_border, group, times, Bytes{bytes}, Seconds{seconds}},
                                part.count, waited);
        };
        tell(border - 1, true, part.crossings.activations[k] * samples, s.activation[i], pipeline.waited_forward);
        tell(border, false, part.crossings.gradients[k] * samples, s.gradient[i], pipeline.waited_backward);
    }
    const double copies = sync_copies(plan, part_index, point, s.borders, s.division);
    const double m = static_cast<double>(batches);
    p.forward = repeat * m * s.stage_forward[busiest];
    p.backward = repeat * m * s.stage_backward[busiest];
    const double waited = repeat * pipeline.exposed.value;
    p.communication = waited + copies;
    p.hidden = repeat * std::max(0.0, (pipeline.transfers - pipeline.exposed).value);
    p.update = largest_update;
    p.idle = std::max(0.0, repeat * pipeline.span.value - (p.forward + p.backward + waited));
    for (int i = 0; i < stages; ++i)
        s.division.run({part_index, s.borders[static_cast<std::size_t>(i)], s.borders[static_cast<std::size_t>(i) + 1],
                        samples, repeat * m, samples * m, false, i});
    return p;
}

}  // namespace scalescope
