// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <limits>

#include "core/estimate/step.hpp"
#include "core/schedule/slices.hpp"

namespace scalescope {
namespace {

/// Adds amounts that hold for a range of cuts; afterwards `settle` turns the differences into sums.
struct ByCut {
    std::vector<double>& sums;
    int first;  ///< cuts below it do not matter

    void clear(int end) { std::fill(sums.begin() + first, sums.begin() + end + 1, 0.0); }
    /// For all cuts above `low` up to `high`.
    void add(int low, int high, double amount) {
        low = std::max(low + 1, first);
        if (high < low) return;
        sums[static_cast<std::size_t>(low)] += amount;
        sums[static_cast<std::size_t>(high) + 1] -= amount;
    }
    void settle(int end) {
        for (int c = first + 1; c <= end; ++c)
            sums[static_cast<std::size_t>(c)] += sums[static_cast<std::size_t>(c) - 1];
    }
};

}  // namespace

/// Every layer, and every message, costs one of two or three amounts, depending on a range of cuts (see OutputStructure
/// and OutputMoves). So the costs of all cuts are sums of steps, and are found together as cheaply as a few cuts one by
/// one.
int cheapest_cut(const Plan& plan, int part_index, const Point& point, const Batch& batch, Scratch& s) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const Work& work = part.work;
    const OutputStructure& outputs = part.outputs;
    const int n = work.layers, never = OutputStructure::never;
    const std::int64_t g = point.workers;
    const auto feasible =
        std::partition_point(part.cuts.begin(), part.cuts.end(), [&](int c) { return !outputs.feasible(c, g); });
    if (*feasible == n) return n;
    const int first = *feasible;
    const HybridSamples samples = hybrid_samples(plan, point, batch);
    const OutputMoves& moves = prepare_outputs(part, g, s);

    // Times of the layers behind: as with everything behind (`divided`) or with nothing behind but the layer (`whole`).
    fill_shares(outputs, moves, 0, first, s.busiest, s.share, s.in, s.out);
    if (!part.lines) {
        price_passes(work, 0, n, samples.front, {}, plan.device, s.times);
        price_passes(work, first, n, samples.back, {s.in, s.out}, plan.device, s.back_times);
        for (int l = first; l < n; ++l) {
            const auto k = static_cast<std::size_t>(l);
            s.in[k] = 1.0;
            if (outputs.divided_until[k] < l) s.out[k] = 1.0;
        }
        price_passes(work, first, n, samples.back, {s.in, s.out}, plan.device, s.whole_times);
    }
    auto seconds = [](const PassTimes& t, std::size_t l) { return t.pass[0][l] + t.pass[1][l] + t.pass[2][l]; };
    const auto divided = [&](int l) {
        const auto k = static_cast<std::size_t>(l);
        return part.lines ? part.lines.layer(l, samples.back, s.in[k], s.out[k]) : seconds(s.back_times, k);
    };
    const auto whole = [&](int l) {
        const auto k = static_cast<std::size_t>(l);
        if (!part.lines) return seconds(s.whole_times, k);
        return part.lines.layer(l, samples.back, 1.0, outputs.divided_until[k] < l ? 1.0 : s.out[k]);
    };

    ByCut back{s.back_work, first}, messages{s.back_messages, first}, in{s.cut_in, first}, out{s.cut_out, first},
        trained{s.back_trained, first};
    for (ByCut* v : {&back, &messages, &in, &out, &trained}) v->clear(n + 1);
    auto cost_of = [&](Message m) { return message_cost(m, point.collective, g, plan.links); };
    const bool one = point.scheme == HybridScheme::one_sender;
    const MessageCost gather = cost_of(Message::all_gather), scatter = cost_of(Message::reduce_scatter),
                      reduce = cost_of(Message::all_reduce),
                      there = cost_of(one ? Message::broadcast : Message::all_gather),
                      again = cost_of(one ? Message::reduce : Message::reduce_scatter);
    for (int l = std::min(first, part.live_from[static_cast<std::size_t>(first)]); l < n; ++l) {
        const auto k = static_cast<std::size_t>(l);
        if (moves.cut_in[k] >= first)
            in.add(l, moves.cut_in[k], there.at(Bytes{work.out_bytes[k] * samples.sent}).value);
        if (moves.cut_out[k] >= first)
            out.add(l, moves.cut_out[k], again.at(Bytes{work.out_bytes[k] * samples.sent}).value);
        if (l < first) continue;
        // A layer changes once: from whole to divided, or from a whole input to its own share of it.
        const int change = moves.local_until[k];
        back.add(change, l, whole(l));
        back.add(never, change, divided(l));
        if (work.trained[k] > 0) {
            const double share = s.share[static_cast<std::size_t>(outputs.class_of[k])];
            trained.add(outputs.divided_until[k], l, work.trained[k]);
            trained.add(never, outputs.divided_until[k], work.trained[k] * share);
        }
        if (moves.gather[k] >= first || moves.scatter[k] >= first) {
            const Bytes bytes{padded_bytes(part, l, g, s.busiest) * samples.back};
            if (moves.gather[k] >= first) messages.add(never, moves.gather[k], gather.at(bytes).value);
            if (moves.scatter[k] >= first) messages.add(never, moves.scatter[k], scatter.at(bytes).value);
        }
        if (moves.all_reduce[k] >= first)
            messages.add(outputs.divided_until[k], moves.all_reduce[k],
                         reduce.at(Bytes{work.out_bytes[k] * samples.back}).value);
    }
    for (ByCut* v : {&back, &messages, &in, &out, &trained}) v->settle(n);
    // What of the all-reduce of the layers in front is waited for.
    const MessageCost all_reduce = message_cost(Message::all_reduce, point.collective, batch.active, plan.links);
    const Hiding hiding = hiding_of(plan, point.collective, batch.active);
    const bool plain = hiding.share == 1 && hiding.interference == 0;
    const bool one_message = part.lines && plan.parallelism.overlap != Overlap::buckets;
    if (plain && !one_message) {
        if (part.lines)
            part.lines.fill_backward(samples.front, s.backward);
        else
            for (std::size_t l = 0; l < static_cast<std::size_t>(n); ++l)
                s.backward[l] = s.times.pass[1][l] + s.times.pass[2][l];
        exposed_by_end(s.backward, work.gradient_bytes, n, plan.parallelism.overlap, plan.parallelism.bucket,
                       all_reduce, s.exposed, s.exposed_scratch);
    }
    const auto exposed = [&](int cut) {
        const auto k = static_cast<std::size_t>(cut);
        // What hides only in part depends on the sum of the messages too, which is asked for cut by cut.
        if (!plain) return sync_front(plan, part, cut, samples.front, all_reduce, hiding, s, nullptr).exposed.value;
        const double copies = hiding.copying * part.gradient_bytes_before[k];
        if (!one_message) return s.exposed[k] + copies;
        return sync_whole(0, cut, Bytes{part.gradient_bytes_before[k]},
                          Seconds{part.lines.backward_until(cut, samples.front)}, plan.parallelism.overlap, all_reduce,
                          nullptr)
                   .exposed.value +
               copies;
    };

    const double repeat = static_cast<double>(plan.training.accumulation), slices = static_cast<double>(samples.slices);
    double front = 0, best = std::numeric_limits<double>::infinity();
    int cut = n, next = 0;
    for (auto c = feasible; c != part.cuts.end(); ++c) {
        if (part.lines)
            front = part.lines.until(*c, samples.front);
        else
            for (; next < *c; ++next) front += seconds(s.times, static_cast<std::size_t>(next));
        const auto k = static_cast<std::size_t>(*c);
        const double slice = s.back_work[k] + s.back_messages[k];
        const SliceSchedule schedule =
            schedule_slices(samples.slices, Seconds{slice}, Seconds{s.cut_in[k]}, Seconds{s.cut_out[k]});
        const double total =
            repeat * (front + slices * slice + schedule.exposed.value) + exposed(*c) +
            price_update(part.trained_before[k] + s.back_trained[k], part.trained_layers, plan.update, plan.device)
                .value;
        // Sums taken in another order differ in their last digits: that does not make a cut cheaper.
        if (total < best * (1 - 1e-12)) {
            best = total;
            cut = *c;
        }
    }
    return cut;
}

}  // namespace scalescope
