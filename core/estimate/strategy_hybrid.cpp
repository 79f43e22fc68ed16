// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/estimate/step.hpp"
#include "core/schedule/slices.hpp"

namespace scalescope {
namespace {

/// The step with the back part beginning at `cut`.
StepParts step_at(const Plan& plan, int part_index, const Point& point, const Batch& batch, int cut, Scratch& s) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const Work& work = part.work;
    const int n = work.layers;
    const std::int64_t g = point.workers;
    StepParts p;
    p.cut = cut;
    if (!part.outputs.feasible(cut, g)) {
        p.infeasible = Infeasible::too_many_for_units;
        return p;
    }
    const HybridSamples samples = hybrid_samples(plan, point, batch);
    const double repeat = static_cast<double>(samples.steps);
    const PassTotals front = price_front(plan, part, cut, samples.front, s);

    const OutputMoves& moves = prepare_outputs(part, g, s);
    fill_shares(part.outputs, moves, cut, cut, s.busiest, s.share, s.in, s.out);
    s.division.shares = Shares::of_outputs(s.in, s.out);
    const PassTotals back = price_passes(work, cut, n, samples.back, s.division.shares, plan.device, s.times);
    const double slices = static_cast<double>(samples.slices), back_repeat = repeat * slices;
    list_output_messages(part, cut, moves, g, s.busiest, s.messages);
    const GroupReach all = reach_of(g, plan.links);
    const MessageSeconds inner = price_layer_messages(plan, part_index, s.messages,
                                                      LayerAxes::Key{.tensor = all, .collective = point.collective},
                                                      samples.back, static_cast<std::int64_t>(back_repeat), s, nullptr);

    // The tensors at the cut, in; their gradients, back. A gradient that is whole on every worker is there already.
    double in = 0, out = 0;
    const bool one = point.scheme == HybridScheme::one_sender;
    const Message there = one ? Message::broadcast : Message::all_gather,
                  back_again = one ? Message::reduce : Message::reduce_scatter;
    const MessageCost there_cost = message_cost(there, point.collective, all, plan.links),
                      back_cost = message_cost(back_again, point.collective, all, plan.links);
    for (int t = part.live_from[static_cast<std::size_t>(cut)]; t < cut; ++t) {
        const auto k = static_cast<std::size_t>(t);
        const Bytes a{work.out_bytes[k] * samples.sent};
        if (moves.cut_in[k] >= cut) in += there_cost.at(a).value;
        if (moves.cut_out[k] >= cut) out += back_cost.at(a).value;
    }
    const double inner_time = inner.forward + inner.backward;
    const SliceSchedule schedule = schedule_slices(samples.slices, Seconds{back.forward + back.backward() + inner_time},
                                                   Seconds{in}, Seconds{out});

    if (s.division.in_full) {
        const double waited = schedule.exposed >= schedule.total ? 1.0 : schedule.exposed / schedule.total;
        for (int t = 0; t < cut; ++t) {
            const auto k = static_cast<std::size_t>(t);
            const Bytes a{work.out_bytes[k] * samples.sent};
            auto tell = [&](Message message, const MessageCost& cost, bool forward) {
                s.division.send({part_index, message, cost.best(a).algorithm, t, t, forward, false, MeshAxis::tensor,
                                 When::at_cut, all, samples.slices * samples.steps, a, cost.at(a)},
                                part.count, waited);
            };
            if (moves.cut_in[k] >= cut) tell(there, there_cost, true);
            if (moves.cut_out[k] >= cut) tell(back_again, back_cost, false);
        }
    }
    const GradientSync sync =
        send_gradients(plan, part_index, {0, cut, samples.front}, point, reach_of(batch.active, plan.links), s);
    double trained = part.trained_before[static_cast<std::size_t>(cut)];
    for (int l = cut; l < n; ++l)
        trained += work.trained[static_cast<std::size_t>(l)] * s.out[static_cast<std::size_t>(l)];
    p.forward = repeat * (front.forward + slices * back.forward);
    p.backward = repeat * (front.backward() + slices * back.backward());
    p.communication = repeat * (schedule.exposed.value + slices * inner_time) + sync.exposed.value;
    p.hidden = repeat * std::max(0.0, (schedule.total - schedule.exposed).value) + sync.hidden().value;
    p.update = price_update(trained, part.trained_layers, plan.update, plan.device).value;
    s.division.run({part_index, 0, cut, samples.front, repeat, samples.front});
    s.division.run({part_index, cut, n, samples.back, back_repeat, samples.back, true});
    return p;
}

}  // namespace

/// Hybrid: a data-parallel front part and a back part split by outputs (Krizhevsky,
/// arXiv:1404.5997, 2014; docs/decisions/dividing-work.md).
StepParts hybrid_step(const Plan& plan, int part_index, const Point& point, const Batch& batch, Scratch& scratch) {
    const int layers = plan.parts[static_cast<std::size_t>(part_index)].work.layers;
    const bool automatic = point.cut == Point::cut_automatic;
    if (point.workers == 1) {
        StepParts p = mesh_step(plan, part_index, point, batch, scratch);
        p.cut = automatic ? layers : std::clamp(point.cut, 0, layers);
        return p;
    }
    const int cut =
        automatic ? cheapest_cut(plan, part_index, point, batch, scratch) : std::clamp(point.cut, 0, layers);
    return step_at(plan, part_index, point, batch, cut, scratch);
}

}  // namespace scalescope
