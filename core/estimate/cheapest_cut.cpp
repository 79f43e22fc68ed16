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
template <class Sums>
struct ByCut {
    std::vector<Sums>& sums;
    int first;  ///< cuts below it do not matter

    void clear(int end) { std::fill(sums.begin() + first, sums.begin() + end + 1, Sums{}); }
    /// For all cuts above `low` up to `high`.
    void add(int low, int high, std::size_t what, double amount) {
        low = std::max(low + 1, first);
        if (high < low) return;
        sums[static_cast<std::size_t>(low)][what] += amount;
        sums[static_cast<std::size_t>(high) + 1][what] -= amount;
    }
    void settle(int end) {
        for (auto c = static_cast<std::size_t>(first) + 1; c <= static_cast<std::size_t>(end); ++c)
            for (std::size_t k = 0; k < std::tuple_size_v<Sums>; ++k) sums[c][k] += sums[c - 1][k];
    }
};

template <class Sums>
ByCut(std::vector<Sums>&, int) -> ByCut<Sums>;

double seconds_of(const PassTimes& t, std::size_t l) { return t.pass[0][l] + t.pass[1][l] + t.pass[2][l]; }

/// Work and trained parameters behind every cut. Where layers' times are no straight lines over the samples, each is
/// priced as with everything behind (divided) and with nothing behind but itself (alone); that leaves the times in
/// front in `s.times`.
void sum_work(const Plan& plan, const PlanPart& part, int first, const OutputMoves& moves, const HybridSamples& samples,
              Scratch& s) {
    const OutputStructure& outputs = *part.outputs;
    const int n = part.work.layers, never = OutputStructure::never;
    ByCut sums{s.cut_sums.work, first};
    sums.clear(n + 1);
    fill_shares(outputs, moves, 0, first, s.busiest, s.share, s.in, s.out);
    const auto alone = [&](int l) {
        return outputs.divided_until[static_cast<std::size_t>(l)] < l ? 1.0 : s.out[static_cast<std::size_t>(l)];
    };
    if (!part.lines) {
        price_passes(part.work, 0, n, samples.front, {}, plan.device, s.times);
        price_passes(part.work, first, n, samples.back, Shares::of_outputs(s.in, s.out), plan.device, s.back_times);
        for (int l = first; l < n; ++l) {
            s.in[static_cast<std::size_t>(l)] = 1.0;
            s.out[static_cast<std::size_t>(l)] = alone(l);
        }
        price_passes(part.work, first, n, samples.back, Shares::of_outputs(s.in, s.out), plan.device, s.whole_times);
    }
    for (int l = first; l < n; ++l) {
        const auto k = static_cast<std::size_t>(l);
        // A layer changes once: from whole to divided, or from a whole input to its own share of it.
        const int change = moves.local_until[k];
        if (part.lines) {
            sums.add(change, l, CutSums::slope, part.lines.layer_slope(l, 1.0, alone(l)));
            sums.add(change, l, CutSums::start, part.lines.layer_start(l, alone(l)));
            sums.add(never, change, CutSums::slope, part.lines.layer_slope(l, s.in[k], s.out[k]));
            sums.add(never, change, CutSums::start, part.lines.layer_start(l, s.out[k]));
        } else {
            sums.add(change, l, CutSums::start, seconds_of(s.whole_times, k));
            sums.add(never, change, CutSums::start, seconds_of(s.back_times, k));
        }
        if (part.work.trained[k] > 0) {
            const double share = s.share[static_cast<std::size_t>(outputs.class_of[k])];
            sums.add(outputs.divided_until[k], l, CutSums::trained, part.work.trained[k]);
            sums.add(never, outputs.divided_until[k], CutSums::trained, part.work.trained[k] * share);
        }
    }
    sums.settle(n);
}

using MoveCosts = std::array<MessageCost, output_moves>;  ///< by OutputMove

double samples_of(OutputMove move, const HybridSamples& samples) {
    return move >= OutputMove::into ? samples.sent : samples.back;
}
// In sums of messages, by OutputMove.
constexpr std::size_t count_at(OutputMove move) { return 2 * static_cast<std::size_t>(move); }
constexpr std::size_t bytes_at(OutputMove move) { return count_at(move) + 1; }

/// Messages behind and at every cut: how many and their bytes, or, where not all take one algorithm, their seconds.
void sum_messages(const PlanPart& part, std::int64_t g, int first, const OutputMoves& moves,
                  const HybridSamples& samples, const MoveCosts& costs, Scratch& s) {
    const int n = part.work.layers;
    const bool counts = costs[0].count == 1;
    ByCut sums{s.cut_sums.messages, first};
    sums.clear(n + 1);
    for (int l = std::min(first, part.live_from[static_cast<std::size_t>(first)]); l < n; ++l) {
        const double whole = part.work.out_bytes[static_cast<std::size_t>(l)],
                     pieces = bytes_of(part, l, OutputMove::gather, g, s.busiest);
        for (std::size_t m = 0; m < output_moves; ++m) {
            const auto move = static_cast<OutputMove>(m);
            const int after = OutputMoves::after(*part.outputs, l, move), last = moves.last(l, move);
            if (last < first || last <= after) continue;
            const double bytes = move < OutputMove::sum ? pieces : whole;
            if (counts) sums.add(after, last, bytes_at(move), bytes);
            sums.add(after, last, count_at(move),
                     counts ? 1.0 : costs[m].at(Bytes{bytes * samples_of(move, samples)}).value);
        }
    }
    sums.settle(n);
}

}  // namespace

/// Every layer, and every message, costs one of two or three amounts, depending on a range of cuts (see OutputStructure
/// and OutputMoves). So the costs of all cuts are sums of steps, and are found together as cheaply as a few cuts one by
/// one.
int cheapest_cut(const Plan& plan, int part_index, const Point& point, const Batch& batch, Scratch& s) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const Work& work = part.work;
    const OutputStructure& outputs = *part.outputs;
    const int n = work.layers;
    const std::int64_t g = point.workers;
    const auto feasible =
        std::partition_point(part.cuts.begin(), part.cuts.end(), [&](int c) { return !outputs.feasible(c, g); });
    if (*feasible == n) return n;
    make_room_for_cuts(n, s);
    const int first = *feasible;
    const HybridSamples samples = hybrid_samples(plan, point, batch);
    const GroupReach group = reach_of(g, plan.links);
    MoveCosts costs;
    for (std::size_t m = 0; m < output_moves; ++m) {
        const auto move = static_cast<OutputMove>(m);
        const bool known = move >= OutputMove::into && point.scheme != HybridScheme::one_sender;
        costs[m] = known ? costs[move == OutputMove::into ? 0 : 1]  // as within the part behind the cut
                         : message_cost(message_of(move, point.scheme), point.collective, group, plan.links);
    }
    const bool counts = costs[0].count == 1;
    CutSums& sums = s.cut_sums;
    if (sums.of != plan.prices || sums.part != part_index || sums.workers != g) {
        sums.of = plan.prices;
        sums.part = part_index;
        sums.workers = g;
        sums.has_work = sums.has_messages = false;
    }
    if (!sums.has_work || !sums.has_messages || !counts) {
        const OutputMoves& moves = prepare_outputs(part, 0, g, s);
        if (!sums.has_work) sum_work(plan, part, first, moves, samples, s);
        if (!sums.has_messages || !counts) sum_messages(part, g, first, moves, samples, costs, s);
        sums.has_work = static_cast<bool>(part.lines);
        sums.has_messages = counts;
    }
    // Seconds of the sums of messages, and of parameters.
    std::array<double, 2 * output_moves> each;
    for (std::size_t m = 0; m < output_moves; ++m) {
        const LinearCost& line = costs[m].options[0];
        each[2 * m] = counts ? line.start.value : 1.0;
        each[2 * m + 1] = counts ? line.seconds_per_byte * samples_of(static_cast<OutputMove>(m), samples) : 0.0;
    }
    const double update = price_update(1, 0, part.update, plan.device).value,
                 updates = price_update(1, part.trained_layers, part.update, plan.device).value - update;
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
            for (; next < *c; ++next) front += seconds_of(s.times, static_cast<std::size_t>(next));
        const auto k = static_cast<std::size_t>(*c);
        const auto& [slope, start, trained_behind] = sums.work[k];
        const auto& messages = sums.messages[k];
        const auto sent = [&](OutputMove move) {
            return messages[count_at(move)] * each[count_at(move)] + messages[bytes_at(move)] * each[bytes_at(move)];
        };
        const double back = slope * samples.back + start,
                     slice = back + sent(OutputMove::gather) + sent(OutputMove::scatter) + sent(OutputMove::sum);
        const SliceSchedule schedule = schedule_slices(samples.slices, Seconds{slice}, Seconds{sent(OutputMove::into)},
                                                       Seconds{sent(OutputMove::out_of)});
        const double slowest = (*c == n ? slowest_in_front : slowest_of_all) * (front + slices * back);
        const double trained = part.trained_before[k] + trained_behind;
        const double total = repeat * (front + slices * slice + schedule.exposed.value + slowest) + exposed(*c) +
                             (trained > 0 ? trained * update + updates : 0.0);
        // Sums taken in another order differ in their last digits: that does not make a cut cheaper.
        if (total < best * (1 - 1e-12)) {
            best = total;
            cut = *c;
        }
    }
    return cut;
}

}  // namespace scalescope
