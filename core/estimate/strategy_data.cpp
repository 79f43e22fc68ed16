// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/step.hpp"

namespace scalescope {
namespace {

struct Collect : BucketSink {
    std::vector<Bucket> buckets;
    void add(const Bucket& b) override { buckets.push_back(b); }
};

}  // namespace

/// Data parallel: every worker holds all weights and its share of the batch (docs/decisions/dividing-work.md).
StepParts data_step(const Plan& plan, int part_index, const Point& point, const Batch& batch, Scratch& scratch,
                    StepRecorder* recorder) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const double samples = micro(batch.per_worker, plan.training.accumulation),
                 repeat = static_cast<double>(plan.training.accumulation);
    const PassTotals t = price_passes(part.work, 0, part.work.layers, samples, {}, plan.device, scratch.times);
    const MessageCost cost = message_cost(Message::all_reduce, point.collective, batch.active, plan.links);
    Collect collect;
    const GradientSync sync =
        sync_gradients(scratch.times.pass[1], scratch.times.pass[2], part.work.gradient_bytes, 0, part.work.layers,
                       plan.parallelism.overlap, plan.parallelism.bucket, cost, recorder ? &collect : nullptr);
    StepParts p;
    p.forward = repeat * t.forward;
    p.backward = repeat * t.backward();
    p.communication = sync.exposed.value;
    p.hidden = sync.hidden().value;
    p.update = price_update(part.trained, part.trained_layers, plan.update, plan.device).value;
    if (recorder) {
        recorder->layers(part_index, 0, part.work.layers, samples, {}, scratch.times, repeat);
        recorder->update(part_index, 0, part.work.layers, {});
        recorder->buckets(part_index, collect.buckets, batch.active, point.collective, sync.backward);
    }
    return p;
}

}  // namespace scalescope
