// SPDX-License-Identifier: GPL-3.0-or-later
// Workers that divide each layer among them, the tensor axis, or the positions of each sequence, the context axis
// (docs/decisions/placements.md, context.md, dividing-work.md).
#include <algorithm>
#include <cmath>

#include "core/estimate/recompute.hpp"
#include "core/estimate/step.hpp"
#include "core/parallel/context.hpp"
#include "core/parallel/experts.hpp"

namespace scalescope {
namespace {

/// Every layer along its outputs.
void divide_columns(const PlanPart& part, LayerAxes& axes, Scratch& s) {
    const std::int64_t ranks = axes.key.tensor.ranks;
    const int from = axes.key.from;
    const OutputMoves& moves = prepare_outputs(part, from, ranks, s);
    axes.in.resize(part.outputs->class_of.size());
    axes.out.resize(axes.in.size());
    for (auto* v : {&axes.messages, &axes.entering}) v->reserve(2 * axes.in.size());
    fill_shares(*part.outputs, moves, from, from, s.busiest, s.share, axes.in, axes.out);
    const auto list = [&](int l, OutputMove move, std::vector<TensorMessage>& to) {
        if (moves.last(l, move) < from || OutputMoves::after(*part.outputs, l, move) >= from) return;
        to.push_back({l, message_of(move), is_forward(move), bytes_of(part, l, move, ranks, s.busiest)});
    };
    for (int l = part.live_from[static_cast<std::size_t>(from)]; l < from; ++l)
        for (const OutputMove move : {OutputMove::into, OutputMove::out_of}) list(l, move, axes.entering);
    for (int l = from; l < part.work.layers; ++l) {
        list(l, OutputMove::gather, axes.messages);
        list(l, OutputMove::scatter, axes.messages);
        list(l, OutputMove::sum, axes.messages);
    }
}

/// Finds how the layers of a network are divided along both axes, at the least cost that the policy allows: positions
/// over the context axis, then what a rank has of them over the tensor axis.
class Divider {
public:
    Divider(const Plan& plan, const PlanPart& part, LayerAxes& axes) : plan_(plan), part_(part), axes_(axes) {
        for (auto* v : {&axes.flops, &axes.in, &axes.out, &axes.weights})
            v->assign(static_cast<std::size_t>(part.work.layers), 1.0);
    }

    void run() {
        if (axes_.key.context.ranks > 1) {
            axes_.infeasible = why_no_context();
            if (axes_.infeasible != Infeasible::no) return;
            axes_.context_along = divide(MeshAxis::context);
            axes_.context_share = axes_.flops;
        }
        if (divides_experts()) {
            axes_.infeasible = why_no_experts();
            if (axes_.infeasible != Infeasible::no) return;
        }
        axes_.along.assign(axes_.out.size(), std::nullopt);
        if (axes_.key.tensor.ranks > 1) axes_.along = divide(MeshAxis::tensor);
        if (axes_.key.context.ranks > 1) {
            // A rank sends what the tensor axis leaves it.
            for (TensorMessage& m : axes_.messages)
                if (m.axis == MeshAxis::context) m.bytes *= axes_.out_of_tensor(at(m.tensor));
            send_attention();
        }
        if (divides_experts()) divide_experts();
        const auto earlier = [](const TensorMessage& a, const TensorMessage& b) {
            if (a.forward != b.forward) return a.forward;
            return a.forward ? a.tensor < b.tensor : a.tensor > b.tensor;
        };
        if (axes_.key.context.ranks > 1 || divides_experts())
            std::stable_sort(axes_.messages.begin(), axes_.messages.end(), earlier);
    }

private:
    const Plan& plan_;
    const PlanPart& part_;
    LayerAxes& axes_;

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    const LayerFacts& facts(int l) const { return part_.network->facts()[at(l)]; }
    LayerShares shares(int l) const {
        return {axes_.flops[at(l)], axes_.in[at(l)], axes_.out[at(l)], axes_.weights[at(l)]};
    }

    std::vector<std::optional<ShardAlong>> divide(MeshAxis axis) {
        const GroupReach& group = axes_.key.group(axis);
        const ShardingPrices prices{
            [&](int layer, const LayerShares& own) {
                const LayerShares before = shares(layer);
                return price_layer(part_.work, layer, axes_.key.samples,
                                   {before.flops * own.flops, before.inputs * own.inputs, before.outputs * own.outputs,
                                    before.weights * own.weights},
                                   plan_.device)
                    .value;
            },
            [&](Message m, Bytes bytes) {
                return message_cost(m, axes_.key.collective, group, plan_.links).at(bytes).value;
            }};
        std::vector<double> left;
        for (std::size_t l = 0; axis == MeshAxis::tensor && !axes_.context_along.empty() && l < axes_.out.size(); ++l)
            left.push_back(axes_.out_of_context(l));
        NetworkSharding sharding = shard_network(
            *part_.network, part_.work,
            {group.ranks, axes_.key.samples, plan_.parallelism.sequence, axes_.key.policy, axis, left}, prices);
        std::vector<std::optional<ShardAlong>> along;
        for (std::size_t l = 0; l < sharding.layers.size(); ++l) {
            const LayerShares& own = sharding.layers[l].shares;
            axes_.flops[l] *= own.flops;
            axes_.in[l] *= own.inputs;
            axes_.out[l] *= own.outputs;
            axes_.weights[l] *= own.weights;
            if (own.kept != 1) {
                axes_.kept.resize(axes_.out.size(), 1.0);
                axes_.kept[l] = own.kept;
            }
            along.push_back(sharding.layers[l].along);
            if (sharding.layers[l].repeats == 1) continue;
            axes_.repeats.resize(axes_.out.size(), 1);
            axes_.repeats[l] = sharding.layers[l].repeats;
        }
        axes_.messages.insert(axes_.messages.end(), sharding.messages.begin(), sharding.messages.end());
        // All ranks of the context axis add up gradients with the replicas.
        if (axis == MeshAxis::tensor) axes_.sums_weights = std::move(sharding.sums_weights);
        return along;
    }

    /// Every attention over one sequence must have as many positions on each rank.
    Infeasible why_no_context() const {
        bool any = false;
        for (const LayerFacts& f : part_.network->facts()) {
            const std::int64_t pieces = f.along(ShardAlong::queries);
            if (pieces % axes_.key.context.ranks != 0) return Infeasible::uneven_positions;
            any = any || pieces > 0;
        }
        return any ? Infeasible::no : Infeasible::no_attention;
    }

    bool divides_experts() const { return axes_.key.expert.ranks * axes_.key.expert_tensor.ranks > 1; }
    /// Experts, and their hidden units, must come out even.
    Infeasible why_no_experts() const {
        bool any = false;
        for (const LayerFacts& f : part_.network->facts()) {
            if (f.experts.count % axes_.key.expert.ranks != 0 || f.experts.hidden % axes_.key.expert_tensor.ranks != 0)
                return Infeasible::uneven_experts;
            any = any || f.experts.count > 0;
        }
        return any ? Infeasible::no : Infeasible::no_experts;
    }

    /// Each rank keeps its share of the experts, and sends positions to those of the others and back. Ranks that divide
    /// each expert gather what each of them received, and scatter their sums.
    void divide_experts() {
        const GroupReach &group = axes_.key.expert, &cut = axes_.key.expert_tensor;
        const auto cuts = static_cast<double>(cut.ranks), ranks = static_cast<double>(group.ranks) * cuts;
        axes_.experts.assign(axes_.out.size(), 0.0);
        axes_.within.assign(axes_.out.size(), 1.0);
        for (int l = 0; l < part_.work.layers; ++l) {
            const LayerFacts& f = facts(l);
            if (f.experts.count == 0) continue;
            const double own = static_cast<double>(f.experts.parameters) / ranks,
                         all = static_cast<double>(f.weights - f.experts.parameters) + own;
            axes_.experts[at(l)] = own / all;
            axes_.weights[at(l)] *= all / static_cast<double>(f.weights);
            const double routed = static_cast<double>(f.experts.rows * f.output.back());
            axes_.within[at(l)] += (cuts - 1) * routed / static_cast<double>(f.kept_elements);
            const Dispatch dispatch = plan_.parallelism.dispatch;
            const double positions = static_cast<double>(f.in_elements / f.output.back()) * axes_.in[at(l)],
                         copies = copies_sent(f.experts, dispatch, group.ranks, positions * axes_.key.samples),
                         sent = part_.work.in_bytes[at(l)] * axes_.in[at(l)] * copies,
                         by_node = dispatch == Dispatch::each_node && group.nodes > 1
                                       ? parts_reached(f.experts, group.nodes) / parts_reached(f.experts, group.ranks)
                                       : 0;
            const auto send = [&](Message m, MeshAxis axis, Carried what, bool forward) {
                if (axis == MeshAxis::expert && group.ranks > 1)
                    axes_.messages.push_back({l, m, forward, sent, axis, what, 1, by_node});
                if (axis == MeshAxis::expert_tensor && cut.ranks > 1)
                    axes_.messages.push_back({l, m, forward, sent * cuts, axis, what});
            };
            for (const bool forward : {true, false}) {
                if (!forward && !part_.work.gradient_needed[at(l)]) continue;
                const Carried there = forward ? Carried::to_experts : Carried::from_experts,
                              back = forward ? Carried::from_experts : Carried::to_experts;
                send(Message::all_to_all, MeshAxis::expert, there, forward);
                send(Message::all_gather, MeshAxis::expert_tensor, there, forward);
                send(Message::reduce_scatter, MeshAxis::expert_tensor, back, forward);
                send(Message::all_to_all, MeshAxis::expert, back, forward);
            }
        }
    }

    /// What attention sends to see the positions of all ranks.
    void send_attention() {
        const std::int64_t ranks = axes_.key.context.ranks;
        const ContextRow& row = context_row(plan_.parallelism.context_scheme);
        for (const bool forward : {true, false})
            for (int l = 0; l < part_.work.layers; ++l) {
                if (axes_.context_along[at(l)] != ShardAlong::queries) continue;
                // By heads, if the tensor axis divides it; each rank has one of the keys at least.
                const LayerFacts& f = facts(l);
                const double share = axes_.out[at(l)] * static_cast<double>(ranks),
                             of_keys = std::max(share, 1 / static_cast<double>(f.key_heads));
                const auto heads = [](std::int64_t all, double of) {
                    return static_cast<std::int64_t>(std::llround(static_cast<double>(all) * of));
                };
                if (plan_.parallelism.context_scheme == ContextScheme::heads &&
                    heads(f.query_heads, share) % ranks != 0) {
                    axes_.infeasible = Infeasible::uneven_heads;
                    return;
                }
                if (!forward && !part_.work.gradient_needed[at(l)]) continue;
                const auto inputs = part_.network->inputs(l);
                const auto bytes = [&](int of, double had) {
                    return static_cast<double>(facts(of).out_elements) * part_.work.element_bytes * had;
                };
                const AttentionSizes sizes{bytes(inputs[0], share), bytes(inputs[1], of_keys),
                                           bytes(inputs[2], of_keys), bytes(l, share), heads(f.key_heads, of_keys)};
                for (const AttentionMessage& m : row.messages(forward))
                    axes_.messages.push_back(
                        {l, m.message, forward, attention_sent(m, sizes, ranks), MeshAxis::context, m.carries});
            }
    }
};

/// What of each tensor, and of its gradient, a rank has once the messages of the axes are through.
void fill_crossings(const PlanPart& part, bool scatter, LayerAxes& axes) {
    const auto apply = [&](MeshAxis axis, std::vector<double>& forward, std::vector<double>& backward) {
        const double cut = 1.0 / static_cast<double>(axes.key.group(axis).ranks);
        for (const TensorMessage& m : axes.messages) {
            const bool tensor = m.carries == Carried::output || m.carries == Carried::states;
            if (m.axis != axis || !tensor) continue;
            // Forward a gathered or summed tensor is whole afterwards. A gradient travels before its message.
            const bool whole = m.forward ? m.message == Message::all_gather || m.message == Message::all_reduce
                                         : m.message == Message::reduce_scatter || m.message == Message::all_reduce;
            double& share = (m.forward ? forward : backward)[static_cast<std::size_t>(m.tensor)];
            share = whole ? 1.0 : std::min(share, cut);
        }
    };
    axes.crossing.clear();
    for (std::size_t l = 0; l < axes.out.size(); ++l) axes.crossing.push_back(axes.out_of_tensor(l));
    axes.gradient_crossing = axes.crossing;
    apply(MeshAxis::tensor, axes.crossing, axes.gradient_crossing);
    std::vector<double> whole, whole_gradients;
    axes.scattered.clear();
    if (const double ranks = static_cast<double>(axes.key.tensor.ranks); scatter && ranks > 1) {
        const auto cut = [&](std::vector<double>& shares, std::vector<double>& gathered, std::uint8_t bit) {
            gathered.assign(shares.size(), 0.0);
            for (std::size_t l = 0; l < shares.size(); ++l)
                if (shares[l] == 1) gathered[l] = 1, shares[l] = 1 / ranks, axes.scattered[l] |= bit;
        };
        axes.scattered.assign(axes.crossing.size(), 0);
        cut(axes.crossing, whole, 1);
        cut(axes.gradient_crossing, whole_gradients, 2);
    }
    if (!axes.context_along.empty()) {
        std::vector<double> forward;
        for (std::size_t l = 0; l < axes.out.size(); ++l) forward.push_back(axes.out_of_context(l));
        std::vector<double> backward = forward;
        apply(MeshAxis::context, forward, backward);
        for (std::size_t l = 0; l < forward.size(); ++l) {
            axes.crossing[l] *= forward[l];
            axes.gradient_crossing[l] *= backward[l];
            if (!whole.empty()) whole[l] *= forward[l], whole_gradients[l] *= backward[l];
        }
    }
    axes.crossings = make_crossings(*part.network, part.work, axes.crossing, axes.gradient_crossing);
    axes.gathered = whole.empty() ? Crossings{} : make_crossings(*part.network, part.work, whole, whole_gradients);
}

/// What goes on while the message travels: where it goes round a ring, its own layer works.
When when_of(const Plan& plan, const TensorMessage& m) {
    if (m.carries == Carried::kept_input) return When::beside_readers;
    const bool beside = m.axis == MeshAxis::context && m.carries != Carried::output &&
                        context_row(plan.parallelism.context_scheme).beside;
    return beside ? When::beside_layer : When::blocking;
}
/// What of a message that nothing in particular hides is waited for all the same.
double exposed_share(const Plan& plan, const TensorMessage& m) {
    switch (m.axis) {
        case MeshAxis::tensor: return 1 - plan.tensor_overlap;
        case MeshAxis::expert:
        case MeshAxis::expert_tensor: return 1 - plan.expert_overlap;
        default: return 1;
    }
}
/// Seconds of that work.
double work_beside(const PlanPart& part, const TensorMessage& m, When when, bool forward, const PassTimes& times) {
    if (when == When::beside_layer) {
        const auto l = static_cast<std::size_t>(m.tensor);
        return forward ? times.pass[0][l] : times.pass[1][l] + times.pass[2][l];
    }
    double seconds = 0;
    for (int l = m.beside_from; l < m.beside_to; ++l)
        if (reads_again(*part.network, part.work, l, m.tensor)) seconds += times.pass[1][static_cast<std::size_t>(l)];
    return seconds;
}

void fill_trained(const PlanPart& part, LayerAxes& axes) {
    const std::span<const double> shares = axes.shares().weights;
    const auto from = static_cast<std::size_t>(axes.key.from);
    axes.trained = part.trained_before[from];
    axes.trained_experts = 0;
    for (std::size_t l = from; l < part.work.trained.size(); ++l) axes.trained += part.work.trained[l] * shares[l];
    for (std::size_t l = 0; l < axes.experts.size(); ++l)
        axes.trained_experts += part.work.trained[l] * shares[l] * axes.experts[l];
    axes.trained -= axes.trained_experts;
}

void fill_gradient_bytes(const PlanPart& part, LayerAxes& axes) {
    const std::span<const double> shares = axes.shares().weights;
    axes.gradient_bytes.resize(part.work.gradient_bytes.size());
    for (std::size_t l = 0; l < axes.gradient_bytes.size(); ++l)
        axes.gradient_bytes[l] =
            part.work.gradient_bytes[l] * shares[l] /
            (!axes.along.empty() && sums_in_pieces(axes.along[l]) ? static_cast<double>(axes.key.tensor.ranks) : 1.0);
    axes.expert_bytes.clear();
    for (std::size_t l = 0; l < axes.experts.size(); ++l) {
        axes.expert_bytes.push_back(axes.gradient_bytes[l] * axes.experts[l]);
        axes.gradient_bytes[l] -= axes.expert_bytes[l];
    }
}

}  // namespace

const LayerAxes* divide_layers(const Plan& plan, int part_index, const Mesh& mesh, double samples, const Point& point,
                               Scratch& s, int from) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const ShardingPolicy policy = policy_of(point);
    const bool columns = policy == ShardingPolicy::columns;
    const LayerAxes::Key key{
        part_index,
        from,
        reach_of(mesh, MeshAxis::tensor, plan.links),
        mesh.context > 1 ? reach_of(mesh, MeshAxis::context, plan.links) : GroupReach{},
        mesh.expert > 1 ? reach_of(mesh, MeshAxis::expert, plan.links) : GroupReach{},
        mesh.expert_tensor > 1 ? reach_of(mesh, MeshAxis::expert_tensor, plan.links) : GroupReach{},
        columns ? 0.0 : samples,
        policy,
        point.collective,
        columns ? Recomputation{} : point.recomputation()};
    KnownLayerAxes& all = s.axes;
    if (!columns && all.others.empty()) all.others.resize(63);
    // Most changes of a plan's prices leave them alone.
    if (all.prices != plan.prices || all.of.work != plan.work) {
        const Parallelism& p = plan.parallelism;
        all.prices = plan.prices;
        if (KnownLayerAxes::Of of{plan.work, plan.device, plan.links, p.sequence, p.context_scheme, p.dispatch};
            all.of != of) {
            all.of = std::move(of);
            all.columns.key = {};
            for (LayerAxes& a : all.others) a.key = {};
        }
    }
    // Sums that no message of this mesh needs are left out.
    const auto with_bytes = [&](LayerAxes& a) {
        if (a.infeasible != Infeasible::no) return &a;
        if (mesh.pipeline > 1 && a.crossing.empty()) fill_crossings(part, plan.parallelism.scatter_gather, a);
        if ((mesh.replicas() > 1 || !a.experts.empty()) && a.gradient_bytes.empty()) fill_gradient_bytes(part, a);
        return &a;
    };
    const auto places = columns ? std::span(&all.columns, 1) : std::span(all.others);
    const auto found = std::find_if(places.begin(), places.end(), [&](const LayerAxes& a) { return a.key == key; });
    if (found != places.end()) return with_bytes(*found);
    LayerAxes& axes = places[columns ? 0 : all.next];
    if (!columns) all.next = (all.next + 1) % places.size();
    axes.key = key;
    axes.infeasible = Infeasible::no;
    for (auto* v : {&axes.crossing, &axes.gradient_bytes, &axes.expert_bytes, &axes.context_share, &axes.experts,
                    &axes.within, &axes.kept})
        v->clear();
    axes.along.clear();
    axes.context_along.clear();
    axes.messages.clear();
    axes.repeats.clear();
    axes.entering.clear();
    axes.sums_weights.clear();
    if (!columns)
        Divider(plan, part, axes).run();
    else if (part.outputs->feasible(from, key.tensor.ranks))
        divide_columns(part, axes, s);
    else
        axes.infeasible = Infeasible::too_many_for_units;
    if (axes.infeasible == Infeasible::no) fill_trained(part, axes);
    return with_bytes(axes);
}

MessageSeconds price_layer_messages(const Plan& plan, int part_index, std::span<const TensorMessage> messages,
                                    const LayerAxes::Key& groups, double samples, std::int64_t times, Scratch& s,
                                    std::vector<MessageSeconds>* by_layer) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    std::array<std::uint32_t, mesh_axes> known{};  // of the costs, a bit each
    MessageSeconds total;
    for (const TensorMessage& m : messages) {
        const auto axis = static_cast<std::size_t>(m.axis), l = static_cast<std::size_t>(m.tensor);
        GroupReach group = groups.group(m.axis);
        group.by_node = m.by_node;
        MessageCost& cost = s.message_costs[axis][static_cast<std::size_t>(m.message)];
        const std::uint32_t bit = 1U << static_cast<unsigned>(m.message);
        // What goes beside the work of a layer goes round the ring.
        const When when = when_of(plan, m);
        const bool ring = when == When::beside_layer, beside = when != When::blocking;
        const bool alone = ring || m.by_node > 0;  // no other message costs the same
        if (alone || (known[axis] & bit) == 0)
            cost = message_cost(m.message, ring ? Collective::ring : groups.collective, group, plan.links);
        known[axis] = alone ? known[axis] & ~bit : known[axis] | bit;
        const Bytes bytes{m.bytes * samples};
        const Seconds each = cost.at(bytes), all = each * static_cast<double>(m.times);
        const bool again_too = m.forward && sends_again(part.work, m.tensor);
        const double alone_waited = all.value * exposed_share(plan, m);
        if (!beside && !by_layer && !s.division.in_full) {  // only sums are asked for
            (m.forward ? total.forward : total.backward) += alone_waited;
            if (again_too) total.backward += alone_waited;
            total.hidden += (all.value - alone_waited) * (again_too ? 2 : 1);
            continue;
        }
        const auto send = [&](bool forward, bool again) {
            // Of as many steps of a ring as ranks, the first one needs no message.
            const double work = beside ? work_beside(part, m, when, forward || again, s.times) : 0.0,
                         steps = static_cast<double>(group.ranks), during = ring ? work * (steps - 1) / steps : work,
                         waited = beside ? std::max(0.0, each.value - during) : alone_waited;
            MessageSeconds own;
            (forward ? own.forward : own.backward) = waited;
            own.hidden = all.value - waited;
            total += own;
            if (by_layer) (*by_layer)[l] += own;
            if (!s.division.in_full) return;
            Transfer sent;
            sent.part = part_index;
            sent.message = m.message;
            sent.algorithm = cost.best(bytes).algorithm;
            sent.first = sent.last = m.tensor;
            sent.forward = forward;
            sent.again = again;
            sent.axis = m.axis;
            sent.when = when;
            sent.carries = m.carries;
            if (ring) sent.beside_from = m.tensor, sent.beside_to = m.tensor + 1;
            if (beside && !ring) sent.beside_from = m.beside_from, sent.beside_to = m.beside_to;
            sent.group = group;
            sent.times = times * m.times;
            sent.successive = m.times;
            sent.bytes = bytes;
            sent.each = each;
            s.division.send(sent, part.count, all.value > 0 ? waited / all.value : 1);
        };
        send(m.forward, false);
        if (again_too) send(false, true);
    }
    return total;
}

const OutputMoves& prepare_outputs(const PlanPart& part, int from, std::int64_t workers, Scratch& scratch) {
    fill_busiest(*part.outputs, from, workers, scratch.busiest);
    if (!part.outputs->grouped) return part.moves;
    make_output_moves(*part.network, *part.outputs, part.work, workers, scratch.moves);
    return scratch.moves;
}

}  // namespace scalescope
