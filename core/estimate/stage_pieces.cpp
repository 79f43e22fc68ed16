// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages of a pipeline take, and what their training states add once a step.
#include <algorithm>
#include <numeric>

#include "core/estimate/block_borders.hpp"
#include "core/estimate/offload.hpp"
#include "core/estimate/sharded_axis.hpp"
#include "core/estimate/staged_step.hpp"

namespace scalescope {
namespace {

class StageMaker {
public:
    explicit StageMaker(const StagedStep& step)
        : step_(step), part_(step.part), s_(step.s), stages_(step.stages), lines_(step.lines()) {}

    WorkPiece all() {
        const int n = part_.work.layers;
        make_room_for_stages(n, s_);
        price();
        const auto& weights = s_.times.pass[2];
        return {s_.splits.time.back(), lines_ ? part_.lines.totals(0, n, step_.samples).grad_weights
                                              : std::accumulate(weights.begin(), weights.begin() + n, 0.0)};
    }

    StagePiece make() {
        price();
        const auto& boundaries = step_.plan.boundaries;
        if (boundaries.size() + 1 == stages_) {
            s_.best_borders.assign(1, 0);
            s_.best_borders.insert(s_.best_borders.end(), boundaries.begin(), boundaries.end());
            s_.best_borders.push_back(part_.work.layers);
            return between(s_.best_borders);
        }
        if (step_.plan.parallelism.borders == StageBorders::blocks &&
            split_at_blocks(*part_.network, static_cast<int>(stages_), s_.best_borders))
            return between(s_.best_borders);
        balance();
        StagePiece piece = between(s_.borders);
        settle(piece);
        return piece;
    }
    StagePiece make(std::span<const int> borders) {
        price();
        return between(borders);
    }
    void look() {
        price();
        balance();
        look_for_splits();
    }

private:
    const StagedStep& step_;
    const PlanPart& part_;
    Scratch& s_;
    std::size_t stages_;
    bool lines_;
    StagePiece piece_;

    StagePiece between(std::span<const int> borders) {
        piece_.borders = step_.room().take<int>(stages_ + 1);
        std::copy(borders.begin(), borders.end(), piece_.borders.begin());
        for (auto* v : {&piece_.forward, &piece_.backward, &piece_.weights, &piece_.activation, &piece_.gradient})
            *v = step_.room().take<double>(stages_);
        const bool any_waits = s_.division.states.sharded >= Sharded::gradients || !part_.hosted.empty();
        s_.stage_waits.assign(any_waits ? stages_ : 0, {});
        const std::array links{neighbour_cost(true, step_.width, step_.plan.links),
                               neighbour_cost(false, step_.width, step_.plan.links)};
        for (std::size_t i = 0; i < stages_; ++i) {
            measure(i);
            if (i + 1 < stages_) cross(i, links[is_near(i) ? 0 : 1]);
        }
        std::size_t busiest = 0;
        double most = work_of(0);
        for (std::size_t d = 1; d < step_.devices; ++d)
            if (const double work = work_of(d); work > most) most = work, busiest = d;
        add_busy(busiest);
        for (const MessageSeconds& waits : s_.stage_waits) piece_.hidden += waits.hidden;
        if (step_.shape.chunks > 1) weigh_sets();
        return piece_;
    }

    /// The backward pass of a stage, both halves of it.
    double whole_backward(std::size_t stage) const {
        return piece_.backward[stage] + (splits_backward(step_.point.order) ? piece_.weights[stage] : 0.0);
    }
    /// Seconds of one micro-batch in all stages of a device.
    double work_of(std::size_t d) const {
        double forward = 0, backward = 0;
        for (std::size_t i = d; i < stages_; i += step_.devices) {
            forward += piece_.forward[i];
            backward += whole_backward(i);
        }
        return forward + backward;
    }
    void add_busy(std::size_t d) {
        double forward = 0, backward = 0;
        MessageSeconds sent;
        for (std::size_t i = d; i < stages_; i += step_.devices) {
            forward += piece_.forward[i];
            backward += whole_backward(i);
            sent += sent_by(i);
        }
        piece_.busy_forward = forward - sent.forward;
        piece_.busy_backward = backward - sent.backward;
        piece_.busy_messages = sent.forward + sent.backward;
    }

    /// Seconds of each layer, and of its messages.
    void price() {
        const int n = part_.work.layers;
        make_room_for_stages(n, s_);
        const LayerAxes* axes = step_.axes;
        KnownPieces::Maps& known = step_.known;
        if (!s_.division.in_full && known.priced == step_.layers()) {
            piece_.hidden = known.hidden;
            return;
        }
        if (s_.division.in_full || !lines_) price_layers(step_);
        if (axes) {
            s_.sent.assign(static_cast<std::size_t>(n), {});
            piece_.hidden = price_layer_messages(step_.plan, step_.part_index, axes->messages, axes->key, step_.samples,
                                                 step_.executions(), s_, &s_.sent)
                                .hidden;
        }
        auto& time = s_.splits.time;
        time.assign(1, 0.0);
        for (std::size_t l = 0; l < static_cast<std::size_t>(n); ++l) {
            double own = lines_ ? part_.lines.layer(static_cast<int>(l), step_.samples, 1.0, 1.0)
                                : s_.times.pass[0][l] + backward_of(part_.work, s_.times, l);
            if (axes) own += s_.sent[l].forward + s_.sent[l].backward;
            time.push_back(time.back() + own);
        }
        known.priced = step_.layers();
        known.cut = 0;
        known.crossed = 0;
        known.hidden = piece_.hidden;
    }

    void balance() {
        if (step_.known.cut != stages_) balance_stages(s_.splits.time, static_cast<int>(stages_), s_.borders);
        step_.known.cut = stages_;
    }

    /// Whether the step may be shorter with other borders than the balanced ones.
    void settle(StagePiece& piece) {
        const int n = part_.work.layers, count = static_cast<int>(stages_);
        // Larger networks are transformers: borders between their equal blocks cost alike.
        constexpr int most_layers = 500;
        if (count == n || n > most_layers) return;
        piece.few = Splits::count(n, count, few_splits) < few_splits;
        piece.settled = !piece.few && !may_send_less(piece);
    }
    bool may_send_less(const StagePiece& piece) {
        constexpr double alike = 1e-9;
        const double least = s_.splits.time.back() * alike;
        double sent = 0;
        for (std::size_t i = 0; i + 1 < stages_; ++i) sent += piece.activation[i] + piece.gradient[i];
        return sent > least && look_for_splits() && s_.splits.most_saved(s_.borders) > least;
    }
    bool look_for_splits() {
        Splits& splits = s_.splits;
        const auto n = static_cast<std::size_t>(part_.work.layers);
        splits.link.resize(stages_ - 1);
        for (std::size_t i = 0; i + 1 < stages_; ++i) splits.link[i] = is_near(i) ? 0 : 1;
        if (step_.known.crossed == step_.width && step_.known.looked == stages_) return true;
        if (step_.known.crossed != step_.width) {
            step_.known.crossed = step_.width;
            const PassWork& forward = part_.work.pass[index_of(Pass::forward)];
            for (auto& sums : splits.work) sums.assign(1, 0.0);
            for (std::size_t l = 0; l < n; ++l) {
                splits.work[0].push_back(splits.work[0].back() + forward.flops[l] * step_.samples);
                splits.work[1].push_back(splits.work[1].back() +
                                         (forward.inputs[l] + forward.outputs[l]) * step_.samples + forward.weights[l]);
            }
            for (std::size_t k = 0; k < 2; ++k) {
                const LinearCost link = neighbour_cost(k == 0, step_.width, step_.plan.links);
                splits.cost[k].resize(n);
                for (std::size_t b = 0; b < n; ++b)
                    splits.cost[k][b] = crossing(link, true, b) + crossing(link, false, b);
            }
        }
        step_.known.looked = splits.look_for(static_cast<int>(stages_)) ? stages_ : 0;
        return step_.known.looked != 0;
    }
    /// Seconds that a message over the border takes.
    double crossing(const LinearCost& link, bool forward, std::size_t border) const {
        const double bytes = (forward ? step_.crossings().activations : step_.crossings().gradients)[border];
        return (bytes > 0 ? link.at(Bytes{bytes * step_.samples}).value : 0.0) + step_.gather_behind(forward, border);
    }

    /// Exposed time of the messages within a stage, one micro-batch.
    MessageSeconds sent_by(std::size_t stage) const {
        MessageSeconds sum;
        if (!s_.stage_waits.empty()) sum = {s_.stage_waits[stage].forward, s_.stage_waits[stage].backward, 0};
        if (!step_.axes) return sum;
        for (int l = piece_.borders[stage]; l < piece_.borders[stage + 1]; ++l) {
            sum.forward += s_.sent[static_cast<std::size_t>(l)].forward;
            sum.backward += s_.sent[static_cast<std::size_t>(l)].backward;
        }
        return sum;
    }

    /// Sharded weights: each micro-batch gathers those that it needs. And what waits on the host travels there and
    /// back.
    void share_states(std::size_t i) {
        if (s_.stage_waits.empty()) return;
        const int from = piece_.borders[i], to = piece_.borders[i + 1];
        const std::int64_t times = step_.executions();
        MessageSeconds& waits = s_.stage_waits[i];
        waits = gather_weights(step_.plan, step_.part_index, {from, to, step_.samples, {}, times}, step_.point,
                               step_.mesh, step_.axes, s_);
        waits += copy_activations(step_.plan, step_.part_index, from, to, step_.samples, times, step_.point, step_.mesh,
                                  step_.axes, s_);
    }
    /// Sharded gradients: each micro-batch sends its own. Seconds that it waits for them.
    double reduce_states(std::size_t i) {
        if (!s_.division.states.reduces_every_pass()) return 0;
        const int from = piece_.borders[i], to = piece_.borders[i + 1];
        MessageSeconds& waits = s_.stage_waits[i];
        const GradientSync sync = reduce_over_replicas(step_.plan, step_.part_index, from, to, step_.samples,
                                                       step_.executions(), step_.point, step_.mesh, step_.axes, s_);
        waits.backward += sync.exposed.value;
        waits.hidden += sync.hidden().value;
        return sync.exposed.value;
    }

    /// What stage `i` computes in one micro-batch, and sends within it.
    void measure(std::size_t i) {
        PassTotals t;
        double forward = 0, backward = 0;
        const int from = piece_.borders[i], to = piece_.borders[i + 1];
        if (lines_) {
            t = part_.lines.totals(from, to, step_.samples);
            forward = t.forward, backward = t.backward();
        } else {
            for (auto l = static_cast<std::size_t>(from); l < static_cast<std::size_t>(to); ++l) {
                forward += s_.times.pass[0][l];
                backward += backward_of(part_.work, s_.times, l);
                t.grad_input += s_.times.pass[1][l];
                t.grad_weights += s_.times.pass[2][l];
                t.recompute += recompute_of(part_.work, s_.times, l);
            }
        }
        share_states(i);
        const MessageSeconds sent = sent_by(i);
        piece_.forward[i] = forward + sent.forward;
        const bool split = splits_backward(step_.point.order);
        const double reduced = reduce_states(i);  // when the gradients of weights are there
        piece_.backward[i] = split ? t.grad_input + t.recompute + sent.backward : backward + sent.backward + reduced;
        piece_.weights[i] = t.grad_weights + (split ? reduced : 0.0);
        piece_.activation[i] = piece_.gradient[i] = 0;
    }
    /// What it sends over the border behind it, and gets back.
    void cross(std::size_t i, const LinearCost& link) {
        const auto border = static_cast<std::size_t>(piece_.borders[i + 1]);
        piece_.activation[i] = crossing(link, true, border);
        piece_.gradient[i] = crossing(link, false, border);
    }
    /// Whether the next stage is in the same node. The last device sends to the first.
    bool is_near(std::size_t stage) const {
        const auto d = static_cast<std::int64_t>(step_.device_of(stage));
        const bool to_next = d + 1 < step_.shape.devices, one_row = step_.width == step_.mesh.in_stage();
        if (to_next && one_row) return next_in_node(d, step_.width, step_.plan.links);
        return reach_of_stages(2, to_next ? d : 0, to_next ? d + 1 : d, step_.mesh, step_.plan.links).nodes == 1;
    }

    /// Bytes that each stage keeps for one sample. They decide at which moment a device holds most.
    void weigh_sets() {
        piece_.kept = step_.room().take<double>(stages_);
        std::fill(piece_.kept.begin(), piece_.kept.end(), 0.0);
        for (const Keep& k : part_.keeps) {
            if (part_.waits_on_host(k)) continue;
            piece_.kept[static_cast<std::size_t>(stage_at(piece_.borders, k.keeper))] += part_.bytes_of(k);
        }
    }
};

class StateMaker {
public:
    StateMaker(const StagedStep& step, const StagePiece& stages, ToldMessages& told)
        : step_(step), part_(step.part), s_(step.s), pieces_(stages), told_(told) {}

    StatePiece make() {
        reduce();
        piece_.copies = sync_copies();
        gather_updated_weights();
        piece_.update = update_of(0);
        for (std::size_t d = 1; d < step_.devices; ++d) piece_.update = std::max(piece_.update, update_of(d));
        return piece_;
    }

private:
    const StagedStep& step_;
    const PlanPart& part_;
    Scratch& s_;
    const StagePiece& pieces_;
    ToldMessages& told_;
    StatePiece piece_;

    int device_of_layer(int layer) const { return stage_at(pieces_.borders, layer) % step_.shape.devices; }
    /// Of the layer's weights, on a worker of its stage.
    double share(int layer) const { return step_.axes ? step_.axes->weights_of(static_cast<std::size_t>(layer)) : 1.0; }
    std::size_t messages() const { return s_.division.transfers.size(); }
    void tell(std::vector<std::size_t>& of) const {
        if (s_.division.in_full) of.push_back(messages());
    }

    /// Gradients of each stage, over the other axes.
    void reduce() {
        const LayerAxes* axes = step_.axes;
        if (step_.mesh.replicas() == 1 && !(axes && !(axes->sums_weights.empty() && axes->experts.empty()))) return;
        piece_.sync = step_.room().take<double>(step_.stages);
        for (std::size_t d = step_.devices; d-- > 0;) {
            tell(told_.gradients);
            for (std::size_t i = step_.stages - step_.devices + d;; i -= step_.devices) {
                const GradientSync sync = sync_stage(i);
                piece_.sync[i] = sync.exposed.value;
                piece_.sync_total += sync.total.value;
                if (i < step_.devices) break;
            }
        }
        tell(told_.gradients);
    }
    GradientSync sync_stage(std::size_t i) const {
        const int from = pieces_.borders[i], to = pieces_.borders[i + 1];
        if (!s_.division.states.reduces_every_pass())
            return reduce_range(step_.plan, step_.part_index, from, to, step_.samples, step_.point, step_.mesh,
                                step_.axes, s_);
        // Those of each micro-batch are sent already.
        GradientSync sums = sum_over_groups(step_.plan, step_.part_index, from, to, step_.samples, step_.point,
                                            step_.mesh, step_.axes, s_);
        sums.add(sum_over_tensor(step_.plan, step_.part_index, from, to, step_.point, step_.mesh, step_.axes, s_));
        return sums;
    }

    /// All-reduce of the gradients of weights that several stages hold a copy of, one after the other when all stages
    /// are done (as Megatron-LM does for tied embeddings; docs/decisions/shared-weights.md).
    double sync_copies() const {
        const auto uses = part_.network->weight_uses();
        double total = 0;
        for (std::size_t i = 0; i < uses.size();) {
            const int owner = uses[i].owner;
            int first = device_of_layer(owner), last = first;
            std::int64_t ranks = 1;
            for (; i < uses.size() && uses[i].owner == owner; ++i) {
                if (!needs_copy(uses, i, [&](int layer) { return device_of_layer(layer); })) continue;
                ++ranks;
                first = std::min(first, device_of_layer(uses[i].layer));
                last = std::max(last, device_of_layer(uses[i].layer));
            }
            const Bytes bytes{part_.work.gradient_bytes[static_cast<std::size_t>(owner)] * share(owner) /
                              s_.division.states.of_gradients()};
            if (ranks == 1 || bytes.value <= 0) continue;
            const GroupReach group = reach_of_stages(ranks, first, last, step_.mesh, step_.plan.links);
            const MessageCost cost = message_cost(Message::all_reduce, step_.point.collective, group, step_.plan.links);
            const Seconds each = cost.at(bytes);
            total += each.value;
            if (s_.division.in_full)
                s_.division.send({step_.part_index, Message::all_reduce, cost.best(bytes).algorithm, owner, owner,
                                  false, true, MeshAxis::pipeline, When::blocking, group, 1, bytes, each},
                                 part_.count);
        }
        return total;
    }

    /// All devices gather the weights that their ranks have updated at the same time: the longest is waited for.
    void gather_updated_weights() {
        if (!updates_shards(s_.division.states)) return;
        double total = 0;
        for (std::size_t d = 0; d < step_.devices; ++d) {
            tell(told_.weights);
            UpdatedWeights own;
            for (std::size_t i = d; i < step_.stages; i += step_.devices)
                gather_updated(step_.plan, step_.part_index, pieces_.borders[i], pieces_.borders[i + 1], step_.samples,
                               step_.point, step_.mesh, step_.axes, own, s_);
            total += own.sent;
            if (own.waited > piece_.gathered) piece_.gathered = own.waited, told_.longest = d;
        }
        tell(told_.weights);
        piece_.beside = total - piece_.gathered;
    }

    double update_of(std::size_t d) const {
        double trained = 0, experts = 0;
        int operations = 0;
        for (std::size_t i = d; i < step_.stages; i += step_.devices) {
            const int from = pieces_.borders[i], to = pieces_.borders[i + 1];
            const auto first = static_cast<std::size_t>(from), end = static_cast<std::size_t>(to);
            if (step_.axes)
                for (int l = from; l < to; ++l) {
                    const auto k = static_cast<std::size_t>(l);
                    const double own = part_.work.trained[k] * share(l), routed = own * step_.axes->experts_of(k);
                    trained += own - routed;
                    experts += routed;
                }
            else
                trained += part_.trained_before[end] - part_.trained_before[first];
            operations += part_.trained_layers_before[end] - part_.trained_layers_before[first];
        }
        const auto uses = part_.network->weight_uses();
        for (std::size_t i = 0; i < uses.size(); ++i) {  // a copy of weights of another device
            if (device_of_layer(uses[i].layer) != static_cast<int>(d) ||
                !needs_copy(uses, i, [&](int layer) { return device_of_layer(layer); }))
                continue;
            const double copied = part_.work.trained[static_cast<std::size_t>(uses[i].owner)] * share(uses[i].owner);
            trained += copied;
            operations += copied > 0 ? 1 : 0;
        }
        const StateShards& states = s_.division.states;
        return price_update(trained / states.of_optimizer() + experts / states.of_optimizer(1), operations,
                            step_.part.update, step_.plan.device)
            .value;
    }
};

}  // namespace

void price_layers(const StagedStep& step) {
    if (!step.s.division.in_full && step.known.priced == step.layers()) return;
    step.known.priced.reset();
    price_passes(step.part.work, 0, step.part.work.layers, step.samples, step.axes ? step.axes->shares() : Shares{},
                 step.plan.device, step.s.times);
}

void add_states(const StagedStep& step, int from, int to, WorkPiece& sum) {
    for (auto k = static_cast<std::size_t>(from); k < static_cast<std::size_t>(to); ++k) {
        const double share = step.axes ? step.axes->weights_of(k) : 1.0,
                     routed = step.axes ? share * step.axes->experts_of(k) : 0.0;
        sum.weight_bytes[0] += step.part.work.weight_bytes[k] * (share - routed);
        sum.weight_bytes[1] += step.part.work.weight_bytes[k] * routed;
        sum.trained[0] += step.part.work.trained[k] * (share - routed);
        sum.trained[1] += step.part.work.trained[k] * routed;
    }
}

void add_states(const StagedStep& step, StagePiece& piece) {
    for (auto* sums : {&piece.weight_bytes, &piece.trained})
        for (std::span<double>& sum : *sums) sum = step.room().take<double>(step.devices);
    for (std::size_t d = 0; d < step.devices; ++d) {
        WorkPiece own;
        for (std::size_t i = d; i < step.stages; i += step.devices)
            add_states(step, piece.borders[i], piece.borders[i + 1], own);
        for (std::size_t k = 0; k < 2; ++k)
            piece.weight_bytes[k][d] = own.weight_bytes[k], piece.trained[k][d] = own.trained[k];
    }
}

WorkPiece make_work(const StagedStep& step) {
    WorkPiece all = StageMaker(step).all();
    add_states(step, 0, step.part.work.layers, all);
    return all;
}

StagePiece make_stages(const StagedStep& step) { return StageMaker(step).make(); }
StagePiece make_stages(const StagedStep& step, std::span<const int> borders) { return StageMaker(step).make(borders); }
void look_for_splits(const StagedStep& step) { StageMaker(step).look(); }

StatePiece make_states(const StagedStep& step, const StagePiece& stages, ToldMessages& told) {
    return StateMaker(step, stages, told).make();
}

}  // namespace scalescope
