// SPDX-License-Identifier: GPL-3.0-or-later
// The tensor axis: workers that divide each layer among them (docs/decisions/placements.md, dividing-work.md).
#include <algorithm>

#include "core/estimate/recompute.hpp"
#include "core/estimate/step.hpp"

namespace scalescope {
namespace {

/// Every layer along its outputs.
void divide_columns(const PlanPart& part, std::int64_t ranks, TensorAxis& axis, Scratch& s) {
    const OutputMoves& moves = prepare_outputs(part, ranks, s);
    axis.in.resize(part.outputs.class_of.size());
    axis.out.resize(axis.in.size());
    fill_shares(part.outputs, moves, 0, 0, s.busiest, s.share, axis.in, axis.out);
    axis.along.clear();
    axis.sums_weights.clear();
    list_output_messages(part, 0, moves, ranks, s.busiest, axis.messages);
}

/// Every layer as the policy allows, at the least cost.
void divide_as_planned(const Plan& plan, const PlanPart& part, const TensorAxis::Key& key, TensorAxis& axis) {
    const ShardingPrices prices{
        [&](int layer, const LayerShares& shares) {
            return price_layer(part.work, layer, key.samples, shares, plan.device).value;
        },
        [&](Message m, Bytes bytes) { return message_cost(m, key.collective, key.group, plan.links).at(bytes).value; }};
    NetworkSharding sharding = shard_network(
        *part.network, part.work, {key.group.ranks, key.samples, plan.parallelism.sequence, key.policy}, prices);
    for (auto* v : {&axis.flops, &axis.in, &axis.out, &axis.weights}) v->resize(sharding.layers.size());
    for (std::size_t l = 0; l < sharding.layers.size(); ++l) {
        const LayerShares& shares = sharding.layers[l].shares;
        axis.flops[l] = shares.flops;
        axis.in[l] = shares.inputs;
        axis.out[l] = shares.outputs;
        axis.weights[l] = shares.weights;
    }
    axis.messages = std::move(sharding.messages);
    axis.sums_weights = std::move(sharding.sums_weights);
    axis.along.clear();
    for (const auto& layer : sharding.layers) axis.along.push_back(layer.along);
}

/// What of each tensor, and of its gradient, a rank has once the messages of the axis are through.
void fill_crossings(const PlanPart& part, std::int64_t ranks, TensorAxis& axis) {
    axis.crossing = axis.gradient_crossing = axis.out;
    for (const TensorMessage& m : axis.messages) {
        const auto t = static_cast<std::size_t>(m.tensor);
        const double cut = 1.0 / static_cast<double>(ranks);
        // Forward a gathered or summed tensor is whole afterwards. A gradient travels before its message.
        const bool whole = m.forward ? m.message == Message::all_gather || m.message == Message::all_reduce
                                     : m.message == Message::reduce_scatter || m.message == Message::all_reduce;
        double& share = (m.forward ? axis.crossing : axis.gradient_crossing)[t];
        share = whole ? 1.0 : std::min(share, cut);
    }
    axis.crossings = make_crossings(*part.network, part.work, axis.crossing, axis.gradient_crossing);
}

void fill_trained(const PlanPart& part, TensorAxis& axis) {
    const std::span<const double> shares = axis.shares().weights;
    axis.trained = 0;
    for (std::size_t l = 0; l < part.work.trained.size(); ++l) axis.trained += part.work.trained[l] * shares[l];
}

void fill_gradient_bytes(const PlanPart& part, TensorAxis& axis) {
    const std::span<const double> shares = axis.shares().weights;
    axis.gradient_bytes.resize(part.work.gradient_bytes.size());
    for (std::size_t l = 0; l < axis.gradient_bytes.size(); ++l)
        axis.gradient_bytes[l] = part.work.gradient_bytes[l] * shares[l];
}

}  // namespace

const TensorAxis* divide_layers(const Plan& plan, int part_index, const Mesh& mesh, double samples, const Point& point,
                                Scratch& s) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const ShardingPolicy policy = policy_of(plan.parallelism, point.strategy);
    const bool columns = policy == ShardingPolicy::columns;
    const GroupReach group = reach_of(mesh, MeshAxis::tensor, plan.links);
    if (columns && !part.outputs.feasible(0, group.ranks)) return nullptr;
    const TensorAxis::Key key{part_index, group, columns ? 0.0 : samples, policy, point.collective};
    TensorAxes& axes = s.tensor;
    if (axes.known.empty()) axes.known.resize(16);
    // Most changes of a plan's prices leave them alone.
    if (TensorAxes::Of of{plan.work, plan.device, plan.links, plan.parallelism.sequence}; axes.of != of) {
        axes.of = std::move(of);
        for (TensorAxis& a : axes.known) a.key = {};
    }
    // Sums that no message of this mesh needs are left out.
    const auto with_bytes = [&](TensorAxis& a) {
        if (mesh.pipeline > 1 && a.crossing.empty()) fill_crossings(part, group.ranks, a);
        if (mesh.data > 1 && a.gradient_bytes.empty()) fill_gradient_bytes(part, a);
        return &a;
    };
    // Columns take no time to find: one place is enough for them.
    const auto first = axes.known.begin() + (columns ? 0 : 1), end = columns ? first + 1 : axes.known.end();
    const auto found = std::find_if(first, end, [&](const TensorAxis& a) { return a.key == key; });
    if (found != end) return with_bytes(*found);
    TensorAxis& axis = axes.known[columns ? 0 : axes.next];
    if (!columns) axes.next = axes.next % (axes.known.size() - 1) + 1;
    axis.key = key;
    axis.crossing.clear();
    axis.gradient_bytes.clear();
    if (columns)
        divide_columns(part, group.ranks, axis, s);
    else
        divide_as_planned(plan, part, key, axis);
    fill_trained(part, axis);
    return with_bytes(axis);
}

TensorSeconds price_tensor_messages(const Plan& plan, int part_index, std::span<const TensorMessage> messages,
                                    const GroupReach& group, Collective collective, double samples, std::int64_t times,
                                    Scratch& s, std::vector<TensorSeconds>* by_layer) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    std::uint32_t known = 0;  // of the costs, a bit each
    TensorSeconds total;
    for (const TensorMessage& m : messages) {
        MessageCost& cost = s.message_costs[static_cast<std::size_t>(m.message)];
        const std::uint32_t bit = 1U << static_cast<unsigned>(m.message);
        if ((known & bit) == 0) cost = message_cost(m.message, collective, group, plan.links);
        known |= bit;
        const Bytes bytes{m.bytes * samples};
        const Seconds each = cost.at(bytes);
        (m.forward ? total.forward : total.backward) += each.value;
        if (by_layer) {
            TensorSeconds& own = (*by_layer)[static_cast<std::size_t>(m.tensor)];
            (m.forward ? own.forward : own.backward) += each.value;
        }
        const bool again = m.forward && sends_again(plan, part, m.tensor);
        if (again) {
            total.backward += each.value;
            if (by_layer) (*by_layer)[static_cast<std::size_t>(m.tensor)].backward += each.value;
        }
        if (!s.division.in_full) continue;
        Transfer sent{part_index,
                      m.message,
                      cost.best(bytes).algorithm,
                      m.tensor,
                      m.tensor,
                      m.forward,
                      false,
                      MeshAxis::tensor,
                      When::blocking,
                      group,
                      times,
                      bytes,
                      each};
        s.division.send(sent, part.count);
        if (!again) continue;
        sent.forward = false;
        sent.again = true;
        s.division.send(sent, part.count);
    }
    return total;
}

const OutputMoves& prepare_outputs(const PlanPart& part, std::int64_t workers, Scratch& scratch) {
    fill_busiest(part.outputs, workers, scratch.busiest);
    if (!part.outputs.grouped) return part.moves;
    make_output_moves(*part.network, part.outputs, part.work, workers, scratch.moves);
    return scratch.moves;
}

void list_output_messages(const PlanPart& part, int cut, const OutputMoves& moves, std::int64_t workers,
                          const std::vector<double>& busiest, std::vector<TensorMessage>& messages) {
    messages.clear();
    for (int l = cut; l < part.work.layers; ++l) {
        const auto t = static_cast<std::size_t>(l);
        // Uneven pieces: every step of the collective waits for the largest, so the buffer counts as g of those.
        if (moves.gather[t] >= cut)
            messages.push_back({l, Message::all_gather, true, padded_bytes(part, l, workers, busiest)});
        if (moves.scatter[t] >= cut)
            messages.push_back({l, Message::reduce_scatter, false, padded_bytes(part, l, workers, busiest)});
        if (moves.all_reduce[t] >= cut && part.outputs.divided_until[t] < cut)
            messages.push_back({l, Message::all_reduce, false, part.work.out_bytes[t]});
    }
}

}  // namespace scalescope
