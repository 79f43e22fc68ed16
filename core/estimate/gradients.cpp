// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <utility>

#include "core/estimate/step.hpp"

namespace scalescope {
namespace {

struct Collect : BucketSink {
    std::vector<Bucket> buckets;
    void add(const Bucket& b) override { buckets.push_back(b); }
};

/// The rest of `whole`; a difference within rounding counts as zero.
double left_of(double whole, double taken) { return whole - taken > 1e-12 * whole ? whole - taken : 0.0; }

/// Seconds of backward by layer, without those in which weights are gathered: gradients have no link then, so the clock
/// of their messages stands still.
void fill_clock(const PlanPart& part, const GradientRange& r, Scratch& scratch) {
    const auto from = static_cast<std::size_t>(r.from), end = static_cast<std::size_t>(r.to);
    if (part.lines && r.bytes.empty())
        part.lines.fill_backward(r.from, r.to, r.samples, scratch.backward);
    else
        for (std::size_t l = from; l < end; ++l) scratch.backward[l] = backward_of(part.work, scratch.times, l);
    for (std::size_t l = from; scratch.division.states.sharded == Sharded::weights && l < end; ++l)
        scratch.backward[l] = left_of(scratch.backward[l], scratch.taken[l]);
}
std::span<const double> bytes_of(const PlanPart& part, const GradientRange& r) {
    return r.bytes.empty() ? std::span<const double>(part.work.gradient_bytes) : r.bytes;
}

/// Of the share of each message that may hide.
inline GradientSync sync_sent(const Plan& plan, const PlanPart& part, const GradientRange& r, const MessageCost& cost,
                              const MessageCost* of_experts, Scratch& scratch, BucketSink* sink) {
    const Overlap overlap = plan.parallelism.overlap;
    const bool gathers = scratch.division.states.sharded == Sharded::weights;
    if (part.lines && r.bytes.empty() && overlap != Overlap::buckets && !gathers) {
        const auto before = [&](int to) { return part.gradient_bytes_before[static_cast<std::size_t>(to)]; };
        const double backward =
            part.lines.backward_until(r.to, r.samples) - part.lines.backward_until(r.from, r.samples);
        return sync_whole(r.from, r.to, Bytes{before(r.to) - before(r.from)}, Seconds{backward}, overlap, cost, sink);
    }
    fill_clock(part, r, scratch);
    const std::array streams{GradientStream{bytes_of(part, r), &cost}, GradientStream{r.expert_bytes, of_experts}};
    return sync_gradients(scratch.backward, std::span(streams).first(of_experts ? 2 : 1), r.from, r.to, overlap,
                          plan.parallelism.bucket, sink);
}

void tell_bucket(const Plan& plan, int part_index, const GradientRange& range, Message message, const MessageCost& cost,
                 const Hiding& hiding, const GroupReach& group, const GradientSync& sync, const Bucket& b,
                 DividedStep& division) {
    Transfer t;
    t.part = part_index;
    t.message = message;
    t.algorithm = cost.best(b.bytes).algorithm;
    t.first = b.first, t.last = b.last;
    t.gradients = true;
    t.when = plan.parallelism.overlap == Overlap::off ? When::blocking : When::under_backward;
    t.group = group;
    t.times = range.times * plan.parts[static_cast<std::size_t>(part_index)].count;
    t.every_pass = division.states.reduces_every_pass();
    t.bytes = b.bytes;
    t.each = cost.at(b.bytes);
    t.start = b.start;
    const Seconds outside =
        b.start >= sync.backward ? t.each * hiding.share : std::max(Seconds{0}, b.end - sync.backward);
    const Seconds exposed = hiding.exposed(t.each, outside);
    t.exposed = (exposed + Seconds{hiding.copying * b.bytes.value}) * static_cast<double>(t.times);
    t.hidden = std::max(Seconds{0}, t.each - exposed) * static_cast<double>(t.times);
    division.transfers.push_back(t);
}

}  // namespace

GradientSync sync_gradients_of(const Plan& plan, const PlanPart& part, const GradientRange& r, const MessageCost& cost,
                               const Hiding& hiding, Scratch& scratch, BucketSink* sink,
                               const MessageCost* of_experts) {
    GradientSync sync;
    if (hiding.share == 1) {
        sync = sync_sent(plan, part, r, cost, of_experts, scratch, sink);
    } else {
        const MessageCost experts = of_experts ? scaled(*of_experts, hiding.share) : MessageCost{};
        sync = sync_sent(plan, part, r, scaled(cost, hiding.share), of_experts ? &experts : nullptr, scratch, sink);
        sync.total = Seconds{sync.total.value / hiding.share};
    }
    sync.exposed = hiding.exposed(sync.total, sync.exposed);
    if (hiding.copying <= 0) return sync;
    double bytes = 0;
    if (r.bytes.empty())
        bytes = part.gradient_bytes_before[static_cast<std::size_t>(r.to)] -
                part.gradient_bytes_before[static_cast<std::size_t>(r.from)];
    for (const auto& of : {r.bytes, r.expert_bytes})
        if (!of.empty())
            for (const double b : of.subspan(static_cast<std::size_t>(r.from), static_cast<std::size_t>(r.to - r.from)))
                bytes += b;
    const Seconds copies{hiding.copying * bytes};
    sync.total += copies;
    sync.exposed += copies;
    return sync;
}

GradientSync send_gradients(const Plan& plan, int part_index, const GradientRange& asked, const Point& point,
                            const GroupReach& replicas, Scratch& scratch) {
    // Where states are sharded, each rank needs the sum of its own shard only.
    const bool sharded = scratch.division.states.sharded != Sharded::nothing;
    const Message message = sharded ? Message::reduce_scatter : Message::all_reduce;
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    if (asked.expert_bytes.empty() && !scratch.division.in_full)  // most often
        return sync_gradients_of(plan, part, asked, message_cost(message, point.collective, replicas, plan.links),
                                 hiding_of(plan, priced_as(message, point.collective), replicas.ranks), scratch,
                                 nullptr);
    GradientRange range = asked;
    GroupReach group = replicas;
    Carried first = Carried::output;
    if (!range.expert_bytes.empty()) {  // what nobody else has is not sent
        if (range.expert_group.ranks == 1) range.expert_bytes = {};
        if (group.ranks == 1) {
            if (range.expert_bytes.empty()) return {};
            range.bytes = std::exchange(range.expert_bytes, {});
            group = range.expert_group;
            first = Carried::experts;
        }
    }
    const bool experts = !range.expert_bytes.empty();
    const Hiding hiding = hiding_of(plan, priced_as(message, point.collective), group.ranks);
    const std::array groups{group, range.expert_group};
    const std::array costs{
        message_cost(message, point.collective, group, plan.links),
        experts ? message_cost(message, point.collective, range.expert_group, plan.links) : MessageCost{}};
    const MessageCost* of_experts = experts ? &costs[1] : nullptr;
    if (!scratch.division.in_full)
        return sync_gradients_of(plan, part, range, costs[0], hiding, scratch, nullptr, of_experts);
    Collect collect;
    const GradientSync sync = sync_gradients_of(plan, part, range, costs[0], hiding, scratch, &collect, of_experts);
    int before = -1;
    for (const Bucket& b : collect.buckets) {
        const auto k = static_cast<std::size_t>(b.stream);
        tell_bucket(plan, part_index, range, message, costs[k], hiding, groups[k], sync, b, scratch.division);
        Transfer& sent = scratch.division.transfers.back();
        sent.carries = k == 1 ? Carried::experts : first;
        sent.before = before;
        before = static_cast<int>(scratch.division.transfers.size()) - 1;
    }
    return sync;
}

GradientSync sum_over_groups(const Plan& plan, int part_index, int from, int to, double samples, const Point& point,
                             const Mesh& mesh, const LayerAxes* axes, Scratch& scratch) {
    const StateShards& states = scratch.division.states;
    if (!states.in_groups()) return {};
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const std::size_t kinds = axes && !axes->experts.empty() ? 2 : 1;
    GradientRange range{from, to, samples};
    if (axes) range.bytes = axes->gradient_bytes, range.expert_bytes = axes->expert_bytes;
    const Hiding hiding = hiding_of(plan, priced_as(Message::all_reduce, point.collective), 1);
    std::array<GroupReach, 2> groups;
    std::array<MessageCost, 2> costs, within, between;  // whole, and of the share that may hide
    std::array streams{GradientStream{bytes_of(part, range)}, GradientStream{range.expert_bytes}};
    for (std::size_t k = 0; k < kinds; ++k) {
        const GroupReach ranks = states.within(mesh, plan.links, k == 1);
        groups[k] = states.between(mesh, plan.links, k == 1);
        within[k] = message_cost(Message::reduce_scatter, point.collective, ranks, plan.links);
        costs[k] = message_cost(Message::all_reduce, point.collective, groups[k], plan.links);
        between[k] = scaled(costs[k], hiding.share);
        if (ranks.ranks > 1) streams[k].cost = &within[k];
        if (groups[k].ranks > 1) streams[k].after = &between[k];
        streams[k].pieces = static_cast<double>(ranks.ranks);
    }
    fill_clock(part, range, scratch);
    Collect collect;
    const GradientSync sent =
        sync_gradients(scratch.backward, std::span(streams).first(kinds), from, to, plan.parallelism.overlap,
                       plan.parallelism.bucket, scratch.division.in_full ? &collect : nullptr);
    GradientSync sync;
    sync.total = Seconds{sent.after_total.value / hiding.share};
    sync.exposed = hiding.exposed(sync.total, sent.after_exposed);
    // As late as they may be, with the same waited for, from the moment on when no other gradients are left.
    Seconds end = sent.after_exposed;
    for (std::size_t i = collect.buckets.size(); i-- > 0;) {
        Bucket& b = collect.buckets[i];
        const auto& stream = streams[static_cast<std::size_t>(b.stream)];
        b.end = end;
        b.start = end -= stream.after_of(b.bytes);
    }
    for (Bucket& b : collect.buckets) {
        const auto k = static_cast<std::size_t>(b.stream);
        if (!streams[k].after) continue;
        b.bytes = Bytes{b.bytes.value / streams[k].pieces};
        tell_bucket(plan, part_index, range, Message::all_reduce, costs[k], hiding, groups[k], sync, b,
                    scratch.division);
        Transfer& told = scratch.division.transfers.back();
        told.every_pass = false;
        told.over_groups = true;
        if (k == 1) told.carries = Carried::experts;
    }
    return sync;
}

}  // namespace scalescope
