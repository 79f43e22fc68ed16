// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/step.hpp"

namespace scalescope {
namespace {

struct Collect : BucketSink {
    std::vector<Bucket> buckets;
    void add(const Bucket& b) override { buckets.push_back(b); }
};

/// Of the share of each message that may hide.
GradientSync sync_sent(const Plan& plan, const PlanPart& part, int to, double samples, const MessageCost& cost,
                       Scratch& scratch, BucketSink* sink) {
    const Overlap overlap = plan.parallelism.overlap;
    if (part.lines && overlap != Overlap::buckets)
        return sync_whole(0, to, Bytes{part.gradient_bytes_before[static_cast<std::size_t>(to)]},
                          Seconds{part.lines.backward_until(to, samples)}, overlap, cost, sink);
    if (part.lines)
        part.lines.fill_backward(samples, scratch.backward);
    else
        for (std::size_t l = 0; l < static_cast<std::size_t>(to); ++l)
            scratch.backward[l] = scratch.times.pass[1][l] + scratch.times.pass[2][l];
    return sync_gradients(scratch.backward, part.work.gradient_bytes, 0, to, overlap, plan.parallelism.bucket, cost,
                          sink);
}

}  // namespace

PassTotals price_front(const Plan& plan, const PlanPart& part, int to, double samples, Scratch& scratch) {
    if (part.lines && !scratch.division.in_full) return part.lines.totals(0, to, samples);
    const PassTotals priced = price_passes(part.work, 0, to, samples, {}, plan.device, scratch.times);
    return part.lines ? part.lines.totals(0, to, samples) : priced;
}

GradientSync sync_front(const Plan& plan, const PlanPart& part, int to, double samples, const MessageCost& cost,
                        const Hiding& hiding, Scratch& scratch, BucketSink* sink) {
    const MessageCost sent = hiding.share == 1 ? cost : scaled(cost, hiding.share);
    GradientSync sync = sync_sent(plan, part, to, samples, sent, scratch, sink);
    if (hiding.share != 1) sync.total = Seconds{sync.total.value / hiding.share};
    sync.exposed = hiding.exposed(sync.total, sync.exposed);
    const Seconds copies{hiding.copying * part.gradient_bytes_before[static_cast<std::size_t>(to)]};
    sync.total += copies;
    sync.exposed += copies;
    return sync;
}

GradientSync send_front(const Plan& plan, int part_index, int to, double samples, const Point& point,
                        std::int64_t ranks, Scratch& scratch) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const Hiding hiding = hiding_of(plan, point.collective, ranks);
    const GroupReach group = reach_of(ranks, plan.links);
    const MessageCost cost = message_cost(Message::all_reduce, point.collective, group, plan.links);
    if (!scratch.division.in_full) return sync_front(plan, part, to, samples, cost, hiding, scratch, nullptr);
    Collect collect;
    const GradientSync sync = sync_front(plan, part, to, samples, cost, hiding, scratch, &collect);
    for (const Bucket& b : collect.buckets) {
        Transfer t;
        t.part = part_index;
        t.algorithm = cost.best(b.bytes).algorithm;
        t.first = b.first, t.last = b.last;
        t.gradients = true;
        t.when = plan.parallelism.overlap == Overlap::off ? When::blocking : When::under_backward;
        t.group = group;
        t.times = part.count;
        t.bytes = b.bytes;
        t.each = cost.at(b.bytes);
        t.start = b.start;
        const Seconds outside =
            b.start >= sync.backward ? t.each * hiding.share : std::max(Seconds{0}, b.end - sync.backward);
        const Seconds exposed = hiding.exposed(t.each, outside);
        t.exposed = (exposed + Seconds{hiding.copying * b.bytes.value}) * part.count;
        t.hidden = (t.each - exposed) * part.count;
        scratch.division.transfers.push_back(t);
    }
    return sync;
}

/// Data parallel: every worker holds all weights and its share of the batch (docs/decisions/dividing-work.md).
StepParts data_step(const Plan& plan, int part_index, const Point& point, const Batch& batch, Scratch& scratch) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const MicroSteps steps = micro_steps(batch.per_worker, plan.training.accumulation);
    const double samples = static_cast<double>(steps.samples), repeat = static_cast<double>(steps.count);
    const PassTotals t = price_front(plan, part, part.work.layers, samples, scratch);
    const GradientSync sync = send_front(plan, part_index, part.work.layers, samples, point, batch.active, scratch);
    StepParts p;
    p.forward = repeat * t.forward;
    p.backward = repeat * t.backward();
    p.communication = sync.exposed.value;
    p.hidden = sync.hidden().value;
    p.update = price_update(part.trained, part.trained_layers, plan.update, plan.device).value;
    scratch.division.run({part_index, 0, part.work.layers, samples, repeat, samples});
    return p;
}

}  // namespace scalescope
