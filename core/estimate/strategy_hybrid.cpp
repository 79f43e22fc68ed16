// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <limits>

#include "core/estimate/step.hpp"
#include "core/schedule/slices.hpp"

namespace scalescope {
namespace {

struct CollectBuckets : BucketSink {
    std::vector<Bucket> buckets;
    void add(const Bucket& b) override { buckets.push_back(b); }
};

double total(const StepParts& p) { return p.forward + p.backward + p.update + p.communication + p.idle; }

/// The step with the back part beginning at `cut`. `front_times` has the front layers' times for the per-worker batch.
StepParts step_at(const Plan& plan, int part_index, const Point& point, const Batch& batch, int cut, Scratch& s, StepRecorder* recorder) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const Work& work = part.work;
    const int n = work.layers;
    const std::int64_t g = point.workers;
    const double repeat = static_cast<double>(plan.training.accumulation), b = micro(batch.per_worker, plan.training.accumulation);
    StepParts p;
    p.cut = cut;
    for (int l = cut; l < n && g > 1; ++l)
        if (part.outputs.division[static_cast<std::size_t>(l)] == Division::weights && part.network->facts()[static_cast<std::size_t>(l)].units < g) {
            p.infeasible = Infeasible::too_many_for_units;
            return p;
        }
    const PassTotals front = price_passes(work, 0, cut, b, {}, plan.device, s.times);
    if (recorder) recorder->layers(part_index, 0, cut, b, {}, s.times, repeat);

    make_output_layout(part.outputs, work, cut, g, s.layout);
    fill_shares(part.outputs, s.layout, cut, g, s.class_share, s.in, s.out);
    const Shares shares{s.in, s.out};
    const bool sliced = point.scheme != HybridScheme::all_at_once && g > 1;
    const std::int64_t slices = sliced ? g : 1;
    const double samples = sliced ? b : b * static_cast<double>(g);
    const PassTotals back = price_passes(work, cut, n, samples, shares, plan.device, s.times);
    const double back_repeat = repeat * static_cast<double>(slices);
    const OutputMessages inner = g > 1 ? price_output_messages(plan, part_index, s.layout, s.class_share, point, samples, back_repeat, recorder) : OutputMessages{};
    if (recorder) recorder->layers(part_index, cut, n, samples, shares, s.times, back_repeat);

    // The tensors at the cut: A bytes for the b samples of one worker, in; their gradients, back.
    const bool one = point.scheme == HybridScheme::one_sender;
    const double scale = point.scheme == HybridScheme::all_at_once ? static_cast<double>(g) : 1.0;
    const Message there = one ? Message::broadcast : Message::all_gather, back_again = one ? Message::reduce : Message::reduce_scatter;
    const MessageCost there_cost = message_cost(there, point.collective, g, plan.links), back_cost = message_cost(back_again, point.collective, g, plan.links);
    auto tensor = [&](std::size_t i) { return Bytes{work.out_bytes[static_cast<std::size_t>(s.layout.cut[i])] * b * scale}; };
    double in = 0, out = 0;
    if (g > 1) {
        for (std::size_t i = 0; i < s.layout.cut.size(); ++i) {
            const Bytes a = tensor(i);
            in += there_cost.at(a).value;
            // A gradient that is whole on every worker is there already: no message.
            if (s.layout.cut_partial[i]) out += back_cost.at(a).value;
        }
    }
    const double inner_time = inner.forward + inner.backward;
    const SliceSchedule schedule = schedule_slices(slices, Seconds{back.forward + back.backward() + inner_time}, Seconds{in}, Seconds{out});

    CollectBuckets collect;
    const MessageCost reduce = message_cost(Message::all_reduce, point.collective, g, plan.links);
    const GradientSync sync = sync_gradients(s.times.pass[1], s.times.pass[2], work.gradient_bytes, 0, cut, plan.parallelism.overlap, plan.parallelism.bucket,
                                             reduce, recorder ? &collect : nullptr);
    double trained = 0;
    for (int l = 0; l < n; ++l) trained += work.trained[static_cast<std::size_t>(l)] * (l < cut ? 1.0 : s.out[static_cast<std::size_t>(l)]);
    const double k = static_cast<double>(slices);
    p.forward = repeat * (front.forward + k * back.forward);
    p.backward = repeat * (front.backward() + k * back.backward());
    p.communication = repeat * (schedule.exposed.value + k * inner_time) + sync.exposed.value;
    p.hidden = repeat * (schedule.total - schedule.exposed).value + sync.hidden().value;
    p.update = price_update(trained, part.trained_layers, plan.update, plan.device).value;
    if (recorder) {
        const double waited = schedule.exposed >= schedule.total ? 1.0 : schedule.exposed / schedule.total;
        for (std::size_t i = 0; g > 1 && i < s.layout.cut.size(); ++i) {
            const Bytes a = tensor(i);
            const auto times = slices * plan.training.accumulation;
            recorder->message(part_index, {there, there_cost.best(a).algorithm, s.layout.cut[i], true, g, times, a, there_cost.at(a), waited});
            if (s.layout.cut_partial[i]) recorder->message(part_index, {back_again, back_cost.best(a).algorithm, s.layout.cut[i], false, g, times, a, back_cost.at(a), waited});
        }
        recorder->buckets(part_index, collect.buckets, g, point.collective, sync.backward);
        recorder->update(part_index, 0, cut, {});
        recorder->update(part_index, cut, n, shares);
    }
    return p;
}

}  // namespace

/// Hybrid: a data-parallel front part and a back part split by outputs (Krizhevsky 2014; spec/parallel.md).
StepParts hybrid_step(const Plan& plan, int part_index, const Point& point, const Batch& batch, Scratch& scratch, StepRecorder* recorder) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    int cut = point.cut;
    if (cut == Point::cut_automatic) {
        double best = std::numeric_limits<double>::infinity();
        cut = part.work.layers;
        for (int candidate : part.cuts) {
            const StepParts p = step_at(plan, part_index, point, batch, candidate, scratch, nullptr);
            if (p.infeasible == Infeasible::no && total(p) < best) {
                best = total(p);
                cut = candidate;
            }
        }
    }
    return step_at(plan, part_index, point, batch, std::clamp(cut, 0, part.work.layers), scratch, recorder);
}

}  // namespace scalescope
