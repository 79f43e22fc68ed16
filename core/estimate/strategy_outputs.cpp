// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/step.hpp"

namespace scalescope {

const OutputMoves& prepare_outputs(const PlanPart& part, std::int64_t workers, Scratch& scratch) {
    fill_busiest(part.outputs, workers, scratch.busiest);
    if (!part.outputs.grouped) return part.moves;
    make_output_moves(*part.network, part.outputs, part.work, workers, scratch.moves);
    return scratch.moves;
}

OutputMessages price_output_messages(const Plan& plan, int part_index, int cut, const OutputMoves& moves,
                                     Scratch& scratch, const Point& point, double samples, double repeat) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    OutputMessages total;
    const GroupReach group = reach_of(point.workers, plan.links);
    auto cost_of = [&](Message m) { return message_cost(m, point.collective, group, plan.links); };
    const MessageCost gather = cost_of(Message::all_gather), scatter = cost_of(Message::reduce_scatter),
                      reduce = cost_of(Message::all_reduce);
    auto send = [&](int t, Message message, const MessageCost& cost, double bytes_of_sample, bool forward,
                    double& sum) {
        const Bytes bytes{bytes_of_sample * samples};
        const Seconds each = cost.at(bytes);
        sum += each.value;
        if (scratch.division.in_full)
            scratch.division.send(
                {part_index, message, cost.best(bytes).algorithm, t, t, forward, false, MeshAxis::tensor,
                 When::blocking, group, static_cast<std::int64_t>(repeat), bytes, each},
                part.count);
    };
    for (int l = cut; l < part.work.layers; ++l) {
        const auto t = static_cast<std::size_t>(l);
        // Uneven pieces: every step of the collective waits for the largest, so the buffer counts as g of those.
        if (moves.gather[t] >= cut)
            send(l, Message::all_gather, gather, padded_bytes(part, l, point.workers, scratch.busiest), true,
                 total.forward);
        if (moves.scatter[t] >= cut)
            send(l, Message::reduce_scatter, scatter, padded_bytes(part, l, point.workers, scratch.busiest), false,
                 total.backward);
        if (moves.all_reduce[t] >= cut && part.outputs.divided_until[t] < cut)
            send(l, Message::all_reduce, reduce, part.work.out_bytes[t], false, total.backward);
    }
    return total;
}

/// Split by outputs: each worker computes its channels or units of every layer with weights
/// (docs/decisions/dividing-work.md).
StepParts outputs_step(const Plan& plan, int part_index, const Point& point, const Batch& batch, Scratch& scratch) {
    if (point.workers == 1) return data_step(plan, part_index, point, batch, scratch);
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    StepParts p;
    if (!part.outputs.feasible(0, point.workers)) {
        p.infeasible = Infeasible::too_many_for_units;
        return p;
    }
    const OutputMoves& moves = prepare_outputs(part, point.workers, scratch);
    fill_shares(part.outputs, moves, 0, 0, scratch.busiest, scratch.share, scratch.in, scratch.out);
    const Shares shares = scratch.division.shares = Shares::of_outputs(scratch.in, scratch.out);
    const MicroSteps steps = micro_steps(batch.effective, plan.training.accumulation);
    const double samples = static_cast<double>(steps.samples), repeat = static_cast<double>(steps.count);
    const PassTotals t = price_passes(part.work, 0, part.work.layers, samples, shares, plan.device, scratch.times);
    const OutputMessages messages = price_output_messages(plan, part_index, 0, moves, scratch, point, samples, repeat);
    double trained = 0;
    for (std::size_t l = 0; l < part.work.trained.size(); ++l) trained += part.work.trained[l] * scratch.out[l];
    p.forward = repeat * t.forward;
    p.backward = repeat * t.backward();
    p.communication = repeat * (messages.forward + messages.backward);
    p.update = price_update(trained, part.trained_layers, plan.update, plan.device).value;
    scratch.division.run({part_index, 0, part.work.layers, samples, repeat, samples, true});
    return p;
}

}  // namespace scalescope
