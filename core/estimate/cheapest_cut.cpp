// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <limits>

#include "core/estimate/details.hpp"
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

/// The sums of all cuts from the first feasible one on, made anew only for another plan or number of workers.
const CutSums& sum_cuts(const Plan& plan, int part_index, std::int64_t g, int first, Scratch& s) {
    CutSums& sums = s.cut_sums;
    if (sums.of == plan.prices && sums.part == part_index && sums.workers == g) return sums;
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const Work& work = part.work;
    const OutputStructure& outputs = part.outputs;
    const int n = work.layers, never = OutputStructure::never;
    const OutputMoves& moves = prepare_outputs(part, g, s);
    fill_shares(outputs, moves, 0, first, s.busiest, s.share, s.in, s.out);
    ByCut slope{sums.slope, first}, start{sums.start, first}, trained{sums.trained, first};
    struct SentByCut {
        ByCut count, bytes;
        void add(int low, int high, double amount) {
            count.add(low, high, 1.0);
            bytes.add(low, high, amount);
        }
    };
    const auto sent = [&](CutSums::Sent& all) { return SentByCut{{all.count, first}, {all.bytes, first}}; };
    SentByCut gather = sent(sums.gather), scatter = sent(sums.scatter), reduce = sent(sums.reduce), in = sent(sums.in),
              out = sent(sums.out);
    const std::array all{&slope,         &start,         &trained,      &gather.count, &gather.bytes,
                         &scatter.count, &scatter.bytes, &reduce.count, &reduce.bytes, &in.count,
                         &in.bytes,      &out.count,     &out.bytes};
    for (ByCut* v : all) v->clear(n + 1);
    for (int l = std::min(first, part.live_from[static_cast<std::size_t>(first)]); l < n; ++l) {
        const auto k = static_cast<std::size_t>(l);
        if (moves.cut_in[k] >= first) in.add(l, moves.cut_in[k], work.out_bytes[k]);
        if (moves.cut_out[k] >= first) out.add(l, moves.cut_out[k], work.out_bytes[k]);
        if (l < first) continue;
        // A layer changes once: from whole to divided, or from a whole input to its own share of it.
        const int change = moves.local_until[k];
        const double whole = outputs.divided_until[k] < l ? 1.0 : s.out[k];
        slope.add(change, l, part.lines.layer_slope(l, 1.0, whole));
        start.add(change, l, part.lines.layer_start(l, whole));
        slope.add(never, change, part.lines.layer_slope(l, s.in[k], s.out[k]));
        start.add(never, change, part.lines.layer_start(l, s.out[k]));
        if (work.trained[k] > 0) {
            const double share = s.share[static_cast<std::size_t>(outputs.class_of[k])];
            trained.add(outputs.divided_until[k], l, work.trained[k]);
            trained.add(never, outputs.divided_until[k], work.trained[k] * share);
        }
        if (moves.gather[k] >= first || moves.scatter[k] >= first) {
            const double bytes = padded_bytes(part, l, g, s.busiest);
            if (moves.gather[k] >= first) gather.add(never, moves.gather[k], bytes);
            if (moves.scatter[k] >= first) scatter.add(never, moves.scatter[k], bytes);
        }
        if (moves.all_reduce[k] >= first) reduce.add(outputs.divided_until[k], moves.all_reduce[k], work.out_bytes[k]);
    }
    for (ByCut* v : all) v->settle(n);
    sums.of = plan.prices;
    sums.part = part_index;
    sums.first = first;
    sums.workers = g;
    return sums;
}

/// Costs of the messages behind and at the cut.
struct BackMessages {
    const MessageCost &gather, &scatter, &reduce, &there, &again;
};

/// The same message by message, where they do not all take one algorithm.
void sum_messages(const Plan& plan, int part_index, std::int64_t g, int first, const OutputMoves& moves,
                  const HybridSamples& samples, const BackMessages& cost, Scratch& s) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const Work& work = part.work;
    const int n = work.layers, never = OutputStructure::never;
    ByCut messages{s.back_messages, first}, in{s.cut_in, first}, out{s.cut_out, first};
    for (ByCut* v : {&messages, &in, &out}) v->clear(n + 1);
    for (int l = std::min(first, part.live_from[static_cast<std::size_t>(first)]); l < n; ++l) {
        const auto k = static_cast<std::size_t>(l);
        if (moves.cut_in[k] >= first)
            in.add(l, moves.cut_in[k], cost.there.at(Bytes{work.out_bytes[k] * samples.sent}).value);
        if (moves.cut_out[k] >= first)
            out.add(l, moves.cut_out[k], cost.again.at(Bytes{work.out_bytes[k] * samples.sent}).value);
        if (l < first) continue;
        if (moves.gather[k] >= first || moves.scatter[k] >= first) {
            const Bytes bytes{padded_bytes(part, l, g, s.busiest) * samples.back};
            if (moves.gather[k] >= first) messages.add(never, moves.gather[k], cost.gather.at(bytes).value);
            if (moves.scatter[k] >= first) messages.add(never, moves.scatter[k], cost.scatter.at(bytes).value);
        }
        if (moves.all_reduce[k] >= first)
            messages.add(part.outputs.divided_until[k], moves.all_reduce[k],
                         cost.reduce.at(Bytes{work.out_bytes[k] * samples.back}).value);
    }
    for (ByCut* v : {&messages, &in, &out}) v->settle(n);
}

/// Work and trained parameters behind every cut where layers' times are no straight lines: each layer is priced as with
/// everything behind (divided) and with nothing behind but itself (whole). Leaves the times in front in `s.times`.
void sum_work(const Plan& plan, int part_index, int first, const OutputMoves& moves, const HybridSamples& samples,
              Scratch& s) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const Work& work = part.work;
    const OutputStructure& outputs = part.outputs;
    const int n = work.layers, never = OutputStructure::never;
    fill_shares(outputs, moves, 0, first, s.busiest, s.share, s.in, s.out);
    price_passes(work, 0, n, samples.front, {}, plan.device, s.times);
    price_passes(work, first, n, samples.back, Shares::of_outputs(s.in, s.out), plan.device, s.back_times);
    for (int l = first; l < n; ++l) {
        const auto k = static_cast<std::size_t>(l);
        s.in[k] = 1.0;
        if (outputs.divided_until[k] < l) s.out[k] = 1.0;
    }
    price_passes(work, first, n, samples.back, Shares::of_outputs(s.in, s.out), plan.device, s.whole_times);
    const auto seconds = [](const PassTimes& t, std::size_t l) { return t.pass[0][l] + t.pass[1][l] + t.pass[2][l]; };
    ByCut back{s.back_work, first}, trained{s.back_trained, first};
    for (ByCut* v : {&back, &trained}) v->clear(n + 1);
    for (int l = first; l < n; ++l) {
        const auto k = static_cast<std::size_t>(l);
        // A layer changes once: from whole to divided, or from a whole input to its own share of it.
        const int change = moves.local_until[k];
        back.add(change, l, seconds(s.whole_times, k));
        back.add(never, change, seconds(s.back_times, k));
        if (work.trained[k] > 0) {
            const double share = s.share[static_cast<std::size_t>(outputs.class_of[k])];
            trained.add(outputs.divided_until[k], l, work.trained[k]);
            trained.add(never, outputs.divided_until[k], work.trained[k] * share);
        }
    }
    for (ByCut* v : {&back, &trained}) v->settle(n);
}

/// Seconds of so many messages of so many bytes a sample, where one algorithm is used for all of them.
double seconds_of(const CutSums::Sent& sent, std::size_t cut, const MessageCost& cost, double samples) {
    return sent.count[cut] * cost.options[0].start.value + sent.bytes[cut] * samples * cost.options[0].seconds_per_byte;
}

}  // namespace

/// Every layer, and every message, costs one of two or three amounts, depending on a range of cuts (see OutputStructure
/// and OutputMoves). So the costs of all cuts are sums of steps, and are found together as cheaply as a few cuts one by
/// one.
int cheapest_cut(const Plan& plan, int part_index, const Point& point, const Batch& batch, Scratch& s) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const Work& work = part.work;
    const OutputStructure& outputs = part.outputs;
    const int n = work.layers;
    const std::int64_t g = point.workers;
    const auto feasible =
        std::partition_point(part.cuts.begin(), part.cuts.end(), [&](int c) { return !outputs.feasible(c, g); });
    if (*feasible == n) return n;
    make_room_for_cuts(n, s);
    const int first = *feasible;
    const HybridSamples samples = hybrid_samples(plan, point, batch);
    const GroupReach group = reach_of(g, plan.links);
    auto cost_of = [&](Message m) { return message_cost(m, point.collective, group, plan.links); };
    const bool one = point.scheme == HybridScheme::one_sender;
    const MessageCost gather = cost_of(Message::all_gather), scatter = cost_of(Message::reduce_scatter),
                      reduce = cost_of(Message::all_reduce),
                      there = cost_of(one ? Message::broadcast : Message::all_gather),
                      again = cost_of(one ? Message::reduce : Message::reduce_scatter);
    const BackMessages messages{gather, scatter, reduce, there, again};
    if (part.lines) {
        const CutSums& sums = sum_cuts(plan, part_index, g, first, s);
        for (auto c = feasible; c != part.cuts.end(); ++c) {
            const auto k = static_cast<std::size_t>(*c);
            s.back_work[k] = sums.slope[k] * samples.back + sums.start[k];
            s.back_trained[k] = sums.trained[k];
            if (gather.count > 1) continue;  // each message takes what is best for its size
            s.back_messages[k] = seconds_of(sums.gather, k, gather, samples.back) +
                                 seconds_of(sums.scatter, k, scatter, samples.back) +
                                 seconds_of(sums.reduce, k, reduce, samples.back);
            s.cut_in[k] = seconds_of(sums.in, k, there, samples.sent);
            s.cut_out[k] = seconds_of(sums.out, k, again, samples.sent);
        }
        if (gather.count > 1) {
            const OutputMoves& moves = prepare_outputs(part, g, s);
            sum_messages(plan, part_index, g, first, moves, samples, messages, s);
        }
    } else {
        const OutputMoves& moves = prepare_outputs(part, g, s);
        sum_work(plan, part_index, first, moves, samples, s);
        sum_messages(plan, part_index, g, first, moves, samples, messages, s);
    }
    const auto seconds = [](const PassTimes& t, std::size_t l) { return t.pass[0][l] + t.pass[1][l] + t.pass[2][l]; };
    // What of the all-reduce of the layers in front is waited for.
    const MessageCost all_reduce =
        message_cost(Message::all_reduce, point.collective, reach_of(batch.active, plan.links), plan.links);
    const Hiding hiding = hiding_of(plan, point.collective, batch.active);
    const bool plain = hiding.share == 1 && hiding.interference == 0;
    const bool one_message = part.lines && plan.parallelism.overlap != Overlap::buckets;
    if (plain && !one_message) {
        if (part.lines)
            part.lines.fill_backward(0, n, samples.front, s.backward);
        else
            for (std::size_t l = 0; l < static_cast<std::size_t>(n); ++l)
                s.backward[l] = s.times.pass[1][l] + s.times.pass[2][l];
        exposed_by_end(s.backward, work.gradient_bytes, n, plan.parallelism.overlap, plan.parallelism.bucket,
                       all_reduce, s.exposed, s.exposed_scratch);
    }
    const auto exposed = [&](int cut) {
        const auto k = static_cast<std::size_t>(cut);
        // What hides only in part depends on the sum of the messages too, which is asked for cut by cut.
        if (!plain)
            return sync_gradients_of(plan, part, {0, cut, samples.front}, all_reduce, hiding, s, nullptr).exposed.value;
        const double copies = hiding.copying * part.gradient_bytes_before[k];
        if (!one_message) return s.exposed[k] + copies;
        const Bytes bytes{part.gradient_bytes_before[k]};
        if (bytes.value <= 0) return copies;
        return exposed_of_whole(all_reduce.at(bytes), Seconds{part.lines.backward_until(cut, samples.front)},
                                plan.parallelism.overlap)
                   .value +
               copies;
    };

    const double repeat = static_cast<double>(samples.steps), slices = static_cast<double>(samples.slices);
    // For each second of work. Without a back part only the workers that have samples take part.
    const double slowest_of_all = wait_for_slowest(plan.spread, g, 1.0),
                 slowest_in_front = wait_for_slowest(plan.spread, batch.active, 1.0);
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
        const double slowest = (*c == n ? slowest_in_front : slowest_of_all) * (front + slices * s.back_work[k]);
        const double total =
            repeat * (front + slices * slice + schedule.exposed.value + slowest) + exposed(*c) +
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
