// SPDX-License-Identifier: GPL-3.0-or-later
// How many samples one execution has: micro-steps, micro-batches and slices.

#include "core/base/checked.hpp"
#include "core/estimate/plan.hpp"

namespace scalescope {

MicroSteps micro_batches(const Plan& plan, const Point& point, const Batch& batch) {
    const std::int64_t samples = micro_steps(plan, batch).samples;
    const auto degrees = point.degrees();
    return micro_steps(samples, degrees && degrees->pipeline > 1 ? point.micro_batches : 1);
}

HybridSamples hybrid_samples(const Plan& plan, const Point& point, const Batch& batch) {
    const MicroSteps steps = micro_steps(batch.per_replica, plan.training.accumulation);
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
