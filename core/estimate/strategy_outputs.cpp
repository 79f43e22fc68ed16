// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/step.hpp"

namespace scalescope {

OutputMessages price_output_messages(const Plan& plan, int part_index, const OutputLayout& layout, const std::vector<double>& class_share,
                                     const Point& point, double samples, double repeat, StepRecorder* recorder) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const double g = static_cast<double>(point.workers);
    OutputMessages total;
    auto send = [&](const std::vector<int>& tensors, Message message, bool forward, double& sum) {
        const MessageCost cost = message_cost(message, point.collective, point.workers, plan.links);
        for (int t : tensors) {
            const auto i = static_cast<std::size_t>(t);
            // Uneven pieces: every step of the collective waits for the largest, so the buffer counts as g of those.
            const double pieces = message == Message::all_reduce ? 1.0 : g * class_share[static_cast<std::size_t>(part.outputs.class_of[i])];
            const Bytes bytes{part.work.out_bytes[i] * samples * pieces};
            const Seconds each = cost.at(bytes);
            sum += each.value;
            if (recorder)
                recorder->message(part_index, {message, cost.best(bytes).algorithm, t, forward, point.workers, static_cast<std::int64_t>(repeat), bytes, each});
        }
    };
    send(layout.gather, Message::all_gather, true, total.forward);
    send(layout.scatter, Message::reduce_scatter, false, total.backward);
    send(layout.all_reduce, Message::all_reduce, false, total.backward);
    return total;
}

/// Split by outputs: each worker computes its channels or units of every layer with weights (spec/parallel.md).
StepParts outputs_step(const Plan& plan, int part_index, const Point& point, const Batch& batch, Scratch& scratch, StepRecorder* recorder) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    StepParts p;
    if (point.workers > 1 && part.outputs.fewest_units_layer >= 0 && point.workers > part.outputs.fewest_units) {
        p.infeasible = Infeasible::too_many_for_units;
        return p;
    }
    const OutputLayout* layout = &part.whole_layout;
    if (part.outputs.grouped) {
        make_output_layout(part.outputs, part.work, 0, point.workers, scratch.layout);
        layout = &scratch.layout;
    }
    fill_shares(part.outputs, *layout, 0, point.workers, scratch.class_share, scratch.in, scratch.out);
    const Shares shares{scratch.in, scratch.out};
    const double samples = micro(batch.effective, plan.training.accumulation), repeat = static_cast<double>(plan.training.accumulation);
    const PassTotals t = price_passes(part.work, 0, part.work.layers, samples, shares, plan.device, scratch.times);
    const OutputMessages messages = point.workers > 1 ? price_output_messages(plan, part_index, *layout, scratch.class_share, point, samples, repeat, recorder) : OutputMessages{};
    double trained = 0;
    for (std::size_t l = 0; l < part.work.trained.size(); ++l) trained += part.work.trained[l] * scratch.out[l];
    p.forward = repeat * t.forward;
    p.backward = repeat * t.backward();
    p.communication = repeat * (messages.forward + messages.backward);
    p.update = price_update(trained, part.trained_layers, plan.update, plan.device).value;
    if (recorder) {
        recorder->layers(part_index, 0, part.work.layers, samples, shares, scratch.times, repeat);
        recorder->update(part_index, 0, part.work.layers, shares);
    }
    return p;
}

}  // namespace scalescope
