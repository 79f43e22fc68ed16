// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/estimate/step.hpp"
#include "core/schedule/slices.hpp"

namespace scalescope {
namespace {

/// The step with the back part beginning at `cut`: two segments of the network, the front one on the data axis of all
/// workers, the back one on a tensor axis of them, and between these the tensors at the cut.
StepParts step_at(const Plan& plan, int part_index, const Point& point, const Batch& batch, int cut, Scratch& s) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const int n = part.work.layers;
    const HybridSamples samples = hybrid_samples(plan, point, batch);
    Mesh behind;
    behind.tensor = point.workers;
    const LayerAxes& axes = *divide_layers(plan, part_index, behind, samples.back, point, s, cut);
    StepParts p;
    p.cut = cut;
    p.infeasible = axes.infeasible;
    if (p.infeasible != Infeasible::no) return p;
    const double repeat = static_cast<double>(samples.steps), slices = static_cast<double>(samples.slices),
                 back_repeat = repeat * slices;
    s.division.shares = axes.shares();
    const PassTotals front = price_front(plan, part, cut, samples.front, s),
                     back = price_passes(part.work, cut, n, samples.back, s.division.shares, plan.device, s.times);
    const MessageSeconds inner = price_layer_messages(plan, part_index, axes.messages, axes.key, samples.back,
                                                      samples.slices * samples.steps, s, nullptr);
    const double inner_time = inner.forward + inner.backward;

    // The tensors at the cut, in; their gradients, back. A gradient that is whole on every worker is there already.
    const auto cost_of = [&](OutputMove move) {
        return message_cost(message_of(move, point.scheme), point.collective, axes.key.tensor, plan.links);
    };
    const MessageCost into = cost_of(OutputMove::into), out_of = cost_of(OutputMove::out_of);
    const auto cost = [&](const TensorMessage& m) -> const MessageCost& { return m.forward ? into : out_of; };
    const auto bytes = [&](const TensorMessage& m) { return Bytes{m.bytes * samples.sent}; };
    Seconds in{0}, out{0};
    for (const TensorMessage& m : axes.entering) (m.forward ? in : out) += cost(m).at(bytes(m));
    const SliceSchedule schedule =
        schedule_slices(samples.slices, Seconds{back.forward + back.backward() + inner_time}, in, out);
    if (s.division.in_full) {
        const double waited = schedule.exposed >= schedule.total ? 1.0 : schedule.exposed / schedule.total;
        for (const TensorMessage& m : axes.entering)
            s.division.send(
                {part_index, message_of(m.forward ? OutputMove::into : OutputMove::out_of, point.scheme),
                 cost(m).best(bytes(m)).algorithm, m.tensor, m.tensor, m.forward, false, MeshAxis::tensor, When::at_cut,
                 axes.key.tensor, samples.slices * samples.steps, bytes(m), cost(m).at(bytes(m))},
                part.count, waited);
    }
    const GradientSync sync =
        send_gradients(plan, part_index, {0, cut, samples.front}, point, reach_of(batch.active, plan.links), s);
    p.forward = repeat * (front.forward + slices * back.forward);
    p.backward = repeat * (front.backward() + slices * back.backward());
    p.communication = repeat * (schedule.exposed.value + slices * inner_time) + sync.exposed.value;
    p.hidden = repeat * std::max(0.0, (schedule.total - schedule.exposed).value) + sync.hidden().value;
    p.update = price_update(axes.trained, part.trained_layers, part.update, plan.device).value;
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
