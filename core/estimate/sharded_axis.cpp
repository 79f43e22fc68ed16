// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/sharded_axis.hpp"

#include <algorithm>
#include <limits>

namespace scalescope {
namespace {

struct Gathered {
    bool waited = false;
    double hidden = 0;
};

double share_of(const LayerAxes* axes, int layer) {
    return axes ? axes->weights_of(static_cast<std::size_t>(layer)) : 1.0;
}

/// Seconds of the layers [from, to) in one pass over the network.
double work_of(const PlanPart& part, int from, int to, double samples, bool forward, bool whole, const Scratch& s) {
    if (part.lines && whole) {
        const PassTotals t = part.lines.totals(from, to, samples);
        return forward ? t.forward : t.backward();
    }
    double sum = 0;
    for (auto l = static_cast<std::size_t>(from); l < static_cast<std::size_t>(to); ++l)
        sum += forward ? s.times.pass[0][l] : backward_of(part.work, s.times, l);
    return sum;
}

}  // namespace

MessageSeconds gather_weights(const Plan& plan, int part_index, const GradientRange& range, const Point& point,
                             const Mesh& mesh, const LayerAxes* axes, Scratch& s) {
    MessageSeconds all;
    if (s.division.states.sharded < Sharded::weights) return all;
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const GroupReach group = reach_of_replicas(mesh, plan.links);
    const MessageCost cost = message_cost(Message::all_gather, point.collective, group, plan.links);
    const auto gather = [&](int layer, bool forward, Bytes bytes, int beside_from, int beside_to) {
        const Seconds each = cost.at(bytes);
        const Seconds waited =
            std::max(Seconds{0},
                     each - Seconds{work_of(part, beside_from, beside_to, range.samples, forward, axes == nullptr, s)});
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
        t.group = group;
        t.times = range.times * part.count;
        t.bytes = bytes;
        t.each = each;
        t.exposed = waited * static_cast<double>(t.times);
        t.hidden = (each - waited) * static_cast<double>(t.times);
        t.weights = t.every_pass = true;
        t.beside_from = beside_from;
        t.beside_to = beside_to;
        s.division.transfers.push_back(t);
        return result;
    };
    // Whose weights are whole: the layer that used some last. The next layer's are on their way from the moment on at
    // which that one could begin.
    int there = -1;
    const auto needed = [&](int layer) {
        Bytes bytes{0};
        weights_needed(*part.network, layer, range.from, [&](int owner) {
            bytes += Bytes{part.work.weight_bytes[static_cast<std::size_t>(owner)] * share_of(axes, owner)};
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
        const Bytes bytes = needed(l);
        if (bytes.value <= 0 || owner_of(l) == there) continue;
        gather(l, true, bytes, begin, l);
        there = owner_of(l);
        begin = l;
    }
    std::fill(s.taken.begin() + range.from, s.taken.begin() + range.to, 0.0);
    int end = range.to;
    for (int l = range.to - 1; l >= range.from; --l) {
        if (!part.work.gradient_needed[static_cast<std::size_t>(l)]) continue;
        const Bytes bytes = needed(l);
        if (bytes.value <= 0 || owner_of(l) == there) continue;
        const Gathered g = gather(l, false, bytes, l + 1, end);
        if (g.waited)  // longer than all that work
            std::fill(s.taken.begin() + l + 1, s.taken.begin() + end, std::numeric_limits<double>::infinity());
        double left = g.hidden;
        for (int k = end; !g.waited && k-- > l + 1;) {
            double& taken = s.taken[static_cast<std::size_t>(k)];
            taken = std::min(left, work_of(part, k, k + 1, range.samples, false, axes == nullptr, s));
            left -= taken;
        }
        there = owner_of(l);
        end = l + 1;
    }
    return all;
}

double gather_updated(const Plan& plan, int part_index, int from, int to, const Point& point, const Mesh& mesh,
                      const LayerAxes* axes, Scratch& s) {
    if (!updates_shards(s.division.states)) return 0;
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    double parameters = 0;
    const auto add = [&](int layer) {
        parameters += part.work.trained[static_cast<std::size_t>(layer)] * share_of(axes, layer);
    };
    for (int l = from; l < to; ++l) add(l);
    const auto uses = part.network->weight_uses();
    for (std::size_t i = 0; i < uses.size(); ++i)  // copies of weights of earlier stages
        if (uses[i].layer >= from && uses[i].layer < to &&
            needs_copy(uses, i, [&](int layer) { return layer >= from ? 1 : 0; }))
            add(uses[i].owner);
    if (parameters <= 0) return 0;
    const Bytes bytes{parameters * part.work.element_bytes};
    const GroupReach group = reach_of_replicas(mesh, plan.links);
    const MessageCost cost = message_cost(Message::all_gather, point.collective, group, plan.links);
    const Seconds each = cost.at(bytes);
    if (s.division.in_full) {
        Transfer t;
        t.part = part_index;
        t.message = Message::all_gather;
        t.algorithm = cost.best(bytes).algorithm;
        t.first = from, t.last = to - 1;
        t.gradients = true;
        t.group = group;
        t.bytes = bytes;
        t.each = each;
        t.weights = true;
        s.division.send(t, part.count);
    }
    return each.value;
}

}  // namespace scalescope
