// SPDX-License-Identifier: GPL-3.0-or-later
// How many samples one execution has: micro-steps, micro-batches and slices.
#include <algorithm>

#include "core/base/checked.hpp"
#include "core/estimate/plan.hpp"

namespace scalescope {

MicroSteps micro_steps(std::int64_t samples, std::int64_t wanted) {
    const std::int64_t each = ceil_div(samples, std::min(wanted, samples));
    return {ceil_div(samples, each), each};
}

std::int64_t micro_stepped(const Point& point, const Batch& batch) {
    const bool together = point.strategy == Strategy::outputs || point.strategy == Strategy::layers;
    return together ? batch.effective : batch.per_worker;
}

MicroSteps micro_steps(const Plan& plan, const Point& point, const Batch& batch) {
    return micro_steps(micro_stepped(point, batch), plan.training.accumulation);
}

MicroBatches micro_batches(const Plan& plan, const Batch& batch) {
    const MicroSteps step = micro_steps(batch.effective, plan.training.accumulation);
    const MicroSteps m = micro_steps(step.samples, plan.parallelism.micro_batches);
    return {m.count, static_cast<double>(m.samples)};
}

HybridSamples hybrid_samples(const Plan& plan, const Point& point, const Batch& batch) {
    const MicroSteps steps = micro_steps(batch.per_worker, plan.training.accumulation);
    const std::int64_t each = steps.samples, all = ceil_div(batch.effective, steps.count), g = point.workers;
    HybridSamples s;
    s.steps = steps.count;
    s.front = static_cast<double>(each);
    if (point.scheme == HybridScheme::all_at_once) {
        s.back = static_cast<double>(all);
        s.sent = static_cast<double>(each * g);
        return s;
    }
    // Slices of what one worker has, until all samples are through: of g workers not all may have that many.
    s.slices = ceil_div(all, each);
    s.back = s.front;
    s.sent = static_cast<double>(point.scheme == HybridScheme::one_sender ? each : ceil_div(each, g) * g);
    return s;
}

}  // namespace scalescope
