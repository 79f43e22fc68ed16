// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/sharded_axis.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace scalescope {
namespace {

struct Gathered {
    bool waited = false;
    double hidden = 0;
};

double share_of(const LayerAxes* axes, int layer) {
    return axes ? axes->weights_of(static_cast<std::size_t>(layer)) : 1.0;
}

}  // namespace

MessageSeconds gather_weights(const Plan& plan, int part_index, const GradientRange& range, const Point& point,
                              const Mesh& mesh, const LayerAxes* axes, Scratch& s) {
    MessageSeconds all;
    if (s.division.states.sharded < Sharded::weights) return all;
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const bool experts = axes && !axes->experts.empty();
    const StateShards& states = s.division.states;
    const std::array groups{states.within(mesh, plan.links, false),
                            experts ? states.within(mesh, plan.links, true) : GroupReach{}};
    std::array<MessageCost, 2> costs;
    for (std::size_t k = 0; k < (experts ? 2 : 1); ++k)
        costs[k] = message_cost(Message::all_gather, point.collective, groups[k], plan.gather_links);
    /// What all ranks have, or experts, `taken` seconds after the work beside it began.
    const auto gather_one = [&](int layer, bool forward, std::size_t of, Bytes bytes, int beside_from, int beside_to,
                                double taken) {
        const MessageCost& cost = costs[of];
        const Seconds each = cost.at(bytes);
        const double work =
            work_of(part, beside_from, beside_to, range.samples, pass_beside(forward, point, mesh), axes == nullptr, s);
        const Seconds waited = std::max(Seconds{0}, each - Seconds{std::max(0.0, work - taken)});
        (forward ? all.forward : all.backward) += waited.value;
        all.hidden += (each - waited).value;
        const Gathered result{waited.value > 0, (each - waited).value};
        if (!s.division.in_full) return result;
        Transfer t;
        t.part = part_index;
        t.message = Message::all_gather;
        t.algorithm = cost.best(bytes).algorithm;
        t.first = t.last = layer;
        t.forward = forward;
        t.when = When::before_layer;
        t.group = groups[of];
        if (of == 1) t.carries = Carried::experts;
        t.times = range.times * part.count;
        t.bytes = bytes;
        t.each = each;
        t.exposed = waited * static_cast<double>(t.times);
        t.hidden = (each - waited) * static_cast<double>(t.times);
        t.weights = t.every_pass = true;
        t.beside_from = beside_from;
        t.beside_to = beside_to;
        if (taken > 0) t.before = static_cast<int>(s.division.transfers.size()) - 1;
        s.division.transfers.push_back(t);
        return result;
    };
    const auto gather = [&](int layer, bool forward, const std::array<Bytes, 2>& bytes, int beside_from,
                            int beside_to) {
        Gathered sum;
        double taken = 0;
        for (std::size_t k = 0; k < 2; ++k) {
            if (bytes[k].value <= 0 || groups[k].ranks == 1) continue;
            const Gathered one = gather_one(layer, forward, k, bytes[k], beside_from, beside_to, taken);
            taken += one.waited ? std::numeric_limits<double>::infinity() : one.hidden;
            sum = {sum.waited || one.waited, sum.hidden + one.hidden};
        }
        return sum;
    };
    // Whose weights are whole: the layer that used some last. The next layer's are on their way from the moment on at
    // which that one could begin.
    int there = -1;
    const auto needed = [&](int layer) {
        std::array<Bytes, 2> bytes{};
        weights_needed(*part.network, layer, range.from, [&](int owner) {
            const auto o = static_cast<std::size_t>(owner);
            const double own = part.work.weight_bytes[o] * share_of(axes, owner),
                         of_experts = experts ? own * axes->experts[o] : 0.0;
            bytes[0] += Bytes{own - of_experts};
            bytes[1] += Bytes{of_experts};
        });
        return bytes;
    };
    const auto owner_of = [&](int layer) {
        return part.network->facts()[static_cast<std::size_t>(layer)].shares ? part.network->weights_owner(layer)
                                                                             : layer;
    };
    const auto& forward = part.work.pass[index_of(Pass::forward)].active;
    const bool computes = std::any_of(forward.begin(), forward.end(), [](double a) { return a > 0; });
    int begin = range.from;
    for (int l = range.from; computes && l < range.to; ++l) {
        const auto bytes = needed(l);
        if ((bytes[0] + bytes[1]).value <= 0 || owner_of(l) == there) continue;
        gather(l, true, bytes, begin, l);
        there = owner_of(l);
        begin = l;
    }
    std::fill(s.taken.begin() + range.from, s.taken.begin() + range.to, 0.0);
    const LayerPass beside = pass_beside(false, point, mesh);
    int end = range.to;
    for (int l = range.to - 1; !(computes && states.kept) && l >= range.from; --l) {
        if (!part.work.gradient_needed[static_cast<std::size_t>(l)]) continue;
        const auto bytes = needed(l);
        if ((bytes[0] + bytes[1]).value <= 0 || owner_of(l) == there) continue;
        const Gathered g = gather(l, false, bytes, l + 1, end);
        // One that is waited for is longer than all that work.
        double left = g.waited ? std::numeric_limits<double>::infinity() : g.hidden;
        for (int k = end; k-- > l + 1;) {
            double& taken = s.taken[static_cast<std::size_t>(k)];
            if (g.waited && beside == LayerPass::backward) {  // all of it
                taken = left;
                continue;
            }
            taken = std::min(left, work_of(part, k, k + 1, range.samples, beside, axes == nullptr, s));
            left -= taken;
        }
        there = owner_of(l);
        end = l + 1;
    }
    return all;
}

void gather_updated(const Plan& plan, int part_index, int from, int to, double samples, const Point& point,
                    const Mesh& mesh, const LayerAxes* axes, UpdatedWeights& gathered, Scratch& s) {
    const StateShards& states = s.division.states;
    if (!updates_shards(states)) return;
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    std::array<double, 2> parameters{};  // that all replicas have, and of experts
    const auto add = [&](int layer) {
        const auto l = static_cast<std::size_t>(layer);
        const double all = part.work.trained[l] * share_of(axes, layer),
                     experts = axes ? all * axes->experts_of(l) : 0.0;
        parameters[0] += all - experts;
        parameters[1] += experts;
    };
    const std::array groups{states.within(mesh, plan.links, false), states.within(mesh, plan.links, true)};
    std::array<MessageCost, 2> costs;
    for (std::size_t k = 0; k < costs.size(); ++k)
        if (groups[k].ranks > 1) costs[k] = message_cost(Message::all_gather, point.collective, groups[k], plan.links);
    const auto send = [&](int first, int end) {
        for (std::size_t k = 0; k < parameters.size(); ++k) {
            const Bytes bytes{std::exchange(parameters[k], 0.0) * part.work.element_bytes};
            if (bytes.value <= 0 || groups[k].ranks == 1) continue;
            const Seconds each = costs[k].at(bytes);
            gathered.sent += each.value;
            double waited = each.value;
            if (states.ahead) waited = std::clamp(gathered.sent - gathered.reached - gathered.waited, 0.0, waited);
            if (each.value - waited < 1e-12 * each.value) waited = each.value;  // rounding hides nothing
            gathered.waited += waited;
            if (!s.division.in_full) continue;
            Transfer t;
            t.part = part_index;
            t.message = Message::all_gather;
            t.algorithm = costs[k].best(bytes).algorithm;
            t.first = first, t.last = end - 1;
            t.gradients = true;
            if (k == 1) t.carries = Carried::experts;
            t.group = groups[k];
            t.bytes = bytes;
            t.each = each;
            t.weights = true;
            if (states.ahead) t.when = When::before_layer, t.beside_from = from, t.beside_to = first;
            s.division.send(t, part.count, waited / each.value);
        }
    };
    const auto uses = part.network->weight_uses();
    const auto copied = [&](std::size_t use) {  // weights of an earlier stage
        return needs_copy(uses, use, [&](int layer) { return layer >= from ? 1 : 0; });
    };
    int first = from;
    for (int l = from; l < to; ++l) {
        add(l);
        for (std::size_t i = 0; i < uses.size(); ++i)
            if (uses[i].layer == l && copied(i)) add(uses[i].owner);
        const double bytes = (parameters[0] + parameters[1]) * part.work.element_bytes;
        if (l + 1 < to && !(states.ahead && bytes >= plan.parallelism.bucket.value)) continue;
        send(first, l + 1);
        if (states.ahead)
            gathered.reached += work_of(part, first, l + 1, samples, LayerPass::forward, axes == nullptr, s);
        first = l + 1;
    }
}

}  // namespace scalescope
