// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline axis: stages of consecutive layers (docs/decisions/dividing-work.md).
#include <algorithm>
#include <cmath>

#include "core/base/limits.hpp"
#include "core/estimate/sharded_axis.hpp"
#include "core/estimate/step.hpp"
#include "core/schedule/fill_drain.hpp"

namespace scalescope {
namespace {

class PipelineStep {
public:
    PipelineStep(const Plan& plan, int part, const Point& point, const Mesh& mesh, const MicroSteps& steps,
                 const MicroSteps& micro_batches, const LayerAxes* axes, Scratch& scratch)
        : plan_(plan),
          part_(plan.parts[static_cast<std::size_t>(part)]),
          part_index_(part),
          point_(point),
          mesh_(mesh),
          order_(point.order),
          shape_(shape_of(point, mesh, micro_batches.count)),
          stages_(static_cast<std::size_t>(shape_.stages())),
          devices_(static_cast<std::size_t>(shape_.devices)),
          batches_(micro_batches.count),
          repeat_(static_cast<double>(steps.count)),
          samples_(static_cast<double>(micro_batches.samples)),
          lines_(part_.lines && axes == nullptr),
          axes_(axes),
          s_(scratch),
          crossings_(axes ? axes->crossings : part_.crossings) {}

    StepParts run() {
        StepParts p;
        p.infeasible = why_infeasible();
        if (p.infeasible != Infeasible::no) return p;
        make_room_for_stages(part_.work.layers, s_);
        price();
        cut();
        for (std::size_t i = 0; i < stages_; ++i) measure(i);
        std::size_t busiest = 0;
        double most = work_of(0), largest_update = update_of(0);
        for (std::size_t d = 1; d < devices_; ++d) {
            if (const double work = work_of(d); work > most) most = work, busiest = d;
            largest_update = std::max(largest_update, update_of(d));
        }
        const Device busy = of_device(busiest);
        const Ran pipeline = order_ == PipelineOrder::fill_drain ? fill_and_drain() : step_through();
        s_.division.schedule.span = pipeline.span;
        if (s_.division.in_full) tell_borders(pipeline);
        const Reduced reduced = reduce_gradients();
        const double copies = sync_copies(), m = static_cast<double>(batches_);
        p.forward = repeat_ * m * (busy.forward - busy.sent.forward);
        p.backward = repeat_ * m * (busy.backward - busy.sent.backward);
        const double waited = repeat_ * pipeline.exposed,
                     within = repeat_ * m * (busy.sent.forward + busy.sent.backward);
        const Reduced gathered = gather_weights_updated();
        double hidden = hidden_within_;
        for (const MessageSeconds& waits : s_.stage_waits) hidden += waits.hidden;
        p.communication = waited + within + copies + reduced.exposed + gathered.exposed;
        p.hidden = repeat_ * std::max(0.0, pipeline.transfers - pipeline.exposed) + reduced.hidden +
                   repeat_ * m * hidden + gathered.hidden;
        p.update = largest_update;
        p.idle = std::max(0.0, repeat_ * pipeline.span - (p.forward + p.backward + waited + within));
        for (std::size_t i = 0; i < stages_; ++i) {
            const double held =
                static_cast<double>(order_ == PipelineOrder::fill_drain ? batches_ : s_.run.in_flight[i]);
            s_.division.run({part_index_, s_.borders[i], s_.borders[i + 1], samples_, repeat_ * m, samples_ * held,
                             axes_ != nullptr, device_of(i)});
        }
        return p;
    }

private:
    struct Reduced {
        double exposed = 0, hidden = 0;
    };
    /// How all micro-batches of one micro-step ran. Seconds; the shares of transfers, by direction, are waited for.
    struct Ran {
        double span = 0, exposed = 0, transfers = 0, waited_forward = 1, waited_backward = 1;
    };
    /// Seconds of one micro-batch in all stages of a device; `sent` of them are messages within the stages.
    struct Device {
        double forward = 0, backward = 0;
        MessageSeconds sent;
    };
    const Plan& plan_;
    const PlanPart& part_;
    int part_index_;
    const Point& point_;
    const Mesh& mesh_;
    PipelineOrder order_;
    PipelineShape shape_;
    std::size_t stages_, devices_;
    std::int64_t batches_;
    double repeat_, samples_;
    bool lines_;  ///< times are sums of straight lines
    const LayerAxes* axes_;
    Scratch& s_;
    const Crossings& crossings_;
    double hidden_within_ = 0;   ///< messages within all layers, beside their work, one micro-batch
    LinearCost near_{}, far_{};  ///< to the next stage, in the same node or in another

    static PipelineShape shape_of(const Point& point, const Mesh& mesh, std::int64_t batches) {
        return {static_cast<int>(mesh.pipeline), static_cast<int>(point.stages_on_device()), batches,
                mesh.pipeline};
    }
    Infeasible why_infeasible() const {
        if (shape_.stages() > part_.work.layers) return Infeasible::too_many_for_layers;
        if (order_ == PipelineOrder::fill_drain) return Infeasible::no;
        if (!can_run(order_, shape_)) return Infeasible::no_schedule;
        return shape_.stages() * batches_ > limits::pipeline_passes ? Infeasible::too_many_passes : Infeasible::no;
    }
    int device_of(std::size_t stage) const {
        return static_cast<int>(stage < devices_ ? stage : stage % devices_);  // divisions are slow
    }
    int device_of_layer(int layer) const { return stage_at(s_.borders, layer) % shape_.devices; }
    std::int64_t width() const { return mesh_.in_stage(); }
    /// Of the layer's weights, on a worker of its stage.
    double share(int layer) const { return axes_ ? axes_->weights_of(static_cast<std::size_t>(layer)) : 1.0; }
    /// The backward pass of a stage, both halves of it.
    double whole_backward(std::size_t stage) const {
        return s_.stage_backward[stage] + (splits_backward(order_) ? s_.stage_weights[stage] : 0.0);
    }
    /// Seconds of one micro-batch in all stages of a device.
    double work_of(std::size_t d) const {
        double forward = 0, backward = 0;
        for (std::size_t i = d; i < stages_; i += devices_) {
            forward += s_.stage_forward[i];
            backward += whole_backward(i);
        }
        return forward + backward;
    }
    Device of_device(std::size_t d) const {
        Device device;
        for (std::size_t i = d; i < stages_; i += devices_) {
            device.forward += s_.stage_forward[i];
            device.backward += whole_backward(i);
            const MessageSeconds sent = sent_by(i);
            device.sent.forward += sent.forward;
            device.sent.backward += sent.backward;
        }
        return device;
    }

    /// Seconds of each layer, and of its messages.
    void price() {
        const int n = part_.work.layers;
        if (s_.division.in_full || !lines_)
            price_passes(part_.work, 0, n, samples_, axes_ ? axes_->shares() : Shares{}, plan_.device, s_.times);
        if (axes_) {
            s_.sent.assign(static_cast<std::size_t>(n), {});
            const MessageSeconds sent =
                price_layer_messages(plan_, part_index_, axes_->messages, axes_->key, samples_,
                                     batches_ * static_cast<std::int64_t>(repeat_), s_, &s_.sent);
            hidden_within_ = sent.hidden;
        }
        s_.layer_total.resize(static_cast<std::size_t>(n));
        for (std::size_t l = 0; l < s_.layer_total.size(); ++l) {
            s_.layer_total[l] = lines_ ? part_.lines.layer(static_cast<int>(l), samples_, 1.0, 1.0)
                                       : s_.times.pass[0][l] + backward_of(part_.work, s_.times, l);
            if (axes_) s_.layer_total[l] += s_.sent[l].forward + s_.sent[l].backward;
        }
    }

    void cut() {
        if (plan_.boundaries.size() + 1 == stages_) {
            s_.borders.assign(1, 0);
            s_.borders.insert(s_.borders.end(), plan_.boundaries.begin(), plan_.boundaries.end());
            s_.borders.push_back(part_.work.layers);
        } else {
            balance_stages(s_.layer_total, static_cast<int>(stages_), s_.prefix, s_.borders);
        }
        for (auto* v : {&s_.stage_forward, &s_.stage_backward, &s_.stage_weights, &s_.activation, &s_.gradient})
            v->resize(stages_);
        s_.stage_waits.assign(s_.division.states.sharded < Sharded::gradients ? 0 : stages_, {});
        near_ = neighbour_cost(true, width(), plan_.links);
        far_ = neighbour_cost(false, width(), plan_.links);
    }

    /// Exposed time of the messages within a stage, one micro-batch.
    MessageSeconds sent_by(std::size_t stage) const {
        MessageSeconds sum;
        if (!s_.stage_waits.empty()) sum = {s_.stage_waits[stage].forward, s_.stage_waits[stage].backward, 0};
        if (!axes_) return sum;
        for (int l = s_.borders[stage]; l < s_.borders[stage + 1]; ++l) {
            sum.forward += s_.sent[static_cast<std::size_t>(l)].forward;
            sum.backward += s_.sent[static_cast<std::size_t>(l)].backward;
        }
        return sum;
    }

    /// Sharded gradients and weights: each micro-batch sends its gradients, and gathers the weights it needs.
    void share_states(std::size_t i) {
        if (s_.stage_waits.empty()) return;
        const int from = s_.borders[i], to = s_.borders[i + 1];
        const std::int64_t times = batches_ * static_cast<std::int64_t>(repeat_);
        s_.stage_waits[i] =
            gather_weights(plan_, part_index_, {from, to, samples_, {}, times}, point_, mesh_, axes_, s_);
        const GradientSync sync =
            reduce_over_replicas(plan_, part_index_, from, to, samples_, times, point_, mesh_, axes_, s_);
        s_.stage_waits[i].backward += sync.exposed.value;
        s_.stage_waits[i].hidden += sync.hidden().value;
    }

    /// What stage `i` computes and sends in one micro-batch.
    void measure(std::size_t i) {
        PassTotals t;
        double forward = 0, backward = 0;
        if (lines_) {
            t = part_.lines.totals(s_.borders[i], s_.borders[i + 1], samples_);
            forward = t.forward, backward = t.backward();
        } else {
            for (auto l = static_cast<std::size_t>(s_.borders[i]); l < static_cast<std::size_t>(s_.borders[i + 1]);
                 ++l) {
                forward += s_.times.pass[0][l];
                backward += backward_of(part_.work, s_.times, l);
                t.grad_input += s_.times.pass[1][l];
                t.grad_weights += s_.times.pass[2][l];
                t.recompute += recompute_of(part_.work, s_.times, l);
            }
        }
        share_states(i);
        const MessageSeconds sent = sent_by(i);
        s_.stage_forward[i] = forward + sent.forward;
        s_.stage_backward[i] = (splits_backward(order_) ? t.grad_input + t.recompute : backward) + sent.backward;
        s_.stage_weights[i] = t.grad_weights;
        s_.activation[i] = s_.gradient[i] = 0;
        if (i + 1 == stages_) return;
        const LinearCost& link = is_near(i) ? near_ : far_;
        const auto border = static_cast<std::size_t>(s_.borders[i + 1]);
        const auto transfer = [&](double bytes) { return bytes > 0 ? link.at(Bytes{bytes * samples_}).value : 0.0; };
        s_.activation[i] = transfer(crossings_.activations[border]);
        s_.gradient[i] = transfer(crossings_.gradients[border]);
    }
    /// Whether the next stage is in the same node. The last device sends to the first.
    bool is_near(std::size_t stage) const {
        const auto d = static_cast<std::int64_t>(device_of(stage));
        if (d + 1 < shape_.devices) return next_in_node(d, width(), plan_.links);
        return reach_of_stages(2, 0, d, width(), plan_.links).nodes == 1;
    }

    double update_of(std::size_t d) const {
        double trained = 0, experts = 0;
        int operations = 0;
        for (std::size_t i = d; i < stages_; i += devices_) {
            const int from = s_.borders[i], to = s_.borders[i + 1];
            const auto first = static_cast<std::size_t>(from), end = static_cast<std::size_t>(to);
            if (axes_)
                for (int l = from; l < to; ++l) {
                    const auto k = static_cast<std::size_t>(l);
                    const double own = part_.work.trained[k] * share(l), routed = own * axes_->experts_of(k);
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
                            plan_.update, plan_.device)
            .value;
    }

    /// All devices gather the weights that their ranks have updated at the same time: the longest is waited for.
    Reduced gather_weights_updated() const {
        if (!updates_shards(s_.division.states)) return {};
        const auto& transfers = s_.division.transfers;
        double total = 0, longest = 0;
        std::size_t from = 0, to = 0;  // the messages of the device that takes longest
        for (std::size_t d = 0; d < devices_; ++d) {
            const std::size_t first = transfers.size();
            double seconds = 0;
            for (std::size_t i = d; i < stages_; i += devices_)
                seconds +=
                    gather_updated(plan_, part_index_, s_.borders[i], s_.borders[i + 1], point_, mesh_, axes_, s_);
            total += seconds;
            tell_waited(first, transfers.size(), 0);
            if (seconds > longest) longest = seconds, from = first, to = transfers.size();
        }
        tell_waited(from, to, longest);
        return {longest, total - longest};
    }

    Ran fill_and_drain() {
        const FillDrain ran = fill_drain({s_.stage_forward, s_.stage_backward, s_.activation, s_.gradient}, batches_);
        return {ran.span.value, ran.exposed.value, ran.transfers.value, ran.waited_forward, ran.waited_backward};
    }
    /// Fill and drain: when each stage has its last micro-batch behind it, after the start of backward. All
    /// micro-batches are alike, so each but the first adds the slowest stage or link behind it.
    void find_ends() const {
        const double more = static_cast<double>(batches_ - 1);
        double sum = 0, slowest = 0;
        s_.run.done.resize(stages_);
        for (std::size_t i = stages_; i-- > 0;) {
            const double link = i + 1 < stages_ ? s_.gradient[i] : 0.0;
            sum += s_.stage_backward[i] + link;
            slowest = std::max({slowest, s_.stage_backward[i], link});
            s_.run.done[i] = sum + more * slowest;
        }
        s_.run.makespan = Seconds{s_.run.done[0]};
    }

    /// The exposed time of transfers is what infinitely fast links would save.
    Ran step_through() {
        const std::span<const double> weights =
            splits_backward(order_) ? std::span<const double>(s_.stage_weights) : std::span<const double>{};
        if (shape_.chunks > 1) weigh_sets();
        StageTimes times{s_.stage_forward, s_.stage_backward, weights, s_.activation, s_.gradient};
        times.held = shape_.chunks > 1 ? std::span<const double>(s_.stage_kept) : std::span<const double>{};
        const bool full = s_.division.in_full;
        run_pipeline(order_, shape_, times, full, s_.run);
        Ran ran;
        ran.span = s_.run.makespan.value;
        ran.exposed = std::max(0.0, ran.span - s_.run.makespan_of_work.value);
        for (std::size_t i = 0; i + 1 < stages_; ++i)
            ran.transfers += static_cast<double>(batches_) * (s_.activation[i] + s_.gradient[i]);
        // Differences within rounding are nothing.
        if (ran.exposed < 1e-12 * ran.span) ran.exposed = 0;
        if (std::abs(ran.exposed - ran.transfers) < 1e-12 * ran.span) ran.exposed = ran.transfers;
        ran.waited_forward = ran.waited_backward = ran.transfers > 0 ? ran.exposed / ran.transfers : 1;
        if (full) {
            times.activation = times.gradient = {};
            run_pipeline(order_, shape_, times, true, s_.run_of_work);
            s_.division.schedule.chain = longest_chain(s_.run.pieces, shape_.stages());
            s_.division.schedule.chain_of_work = longest_chain(s_.run_of_work.pieces, shape_.stages());
        }
        return ran;
    }
    /// Bytes that each stage keeps for one sample. They decide at which moment a device holds most.
    void weigh_sets() {
        s_.stage_kept.assign(stages_, 0.0);
        for (const Keep& k : part_.keeps) {
            const auto l = static_cast<std::size_t>(k.keeper);
            s_.stage_kept[static_cast<std::size_t>(stage_at(s_.borders, k.keeper))] +=
                k.tensor == KeptTensor::mask     ? part_.work.mask_bytes[l]
                : k.tensor == KeptTensor::within ? part_.work.own_bytes[l]
                                                 : part_.work.out_bytes[static_cast<std::size_t>(k.tensor)];
        }
    }

    void tell_borders(const Ran& pipeline) const {
        const std::int64_t times = batches_ * static_cast<std::int64_t>(repeat_);
        for (std::size_t i = 0; i + 1 < stages_; ++i) {
            const std::int64_t from = device_of(i), to = device_of(i + 1);
            const GroupReach group = reach_of_stages(2, std::min(from, to), std::max(from, to), width(), plan_.links);
            const int border = s_.borders[i + 1];
            const auto k = static_cast<std::size_t>(border);
            const auto tell = [&](int layer, bool forward, double bytes, double seconds, double waited) {
                if (seconds > 0)
                    s_.division.send(
                        {part_index_, Message::point_to_point, Collective::ring, layer, layer, forward, false,
                         MeshAxis::pipeline, When::at_border, group, times, Bytes{bytes}, Seconds{seconds}},
                        part_.count, waited);
            };
            tell(border - 1, true, crossings_.activations[k] * samples_, s_.activation[i], pipeline.waited_forward);
            tell(border, false, crossings_.gradients[k] * samples_, s_.gradient[i], pipeline.waited_backward);
        }
    }

    /// Each stage adds up its gradients over the other axes when they are complete, a device one stage after the other,
    /// or after its last backward pass where nothing overlaps; the step waits for the last one.
    Reduced reduce_gradients() const {
        StageSchedule& told = s_.division.schedule;
        const bool sums = mesh_.replicas() > 1 || (axes_ && !(axes_->sums_weights.empty() && axes_->experts.empty()));
        if (!sums && !s_.division.in_full) return {};
        if (order_ == PipelineOrder::fill_drain) find_ends();
        if (s_.division.in_full) {
            told.order = order_;
            told.shape = shape_;
            told.done = s_.run.done;
            told.end = s_.run.makespan.value;
        }
        if (!sums) return {};
        const double end = s_.run.makespan.value;
        const auto& transfers = s_.division.transfers;
        double latest = 0, total = 0;
        std::size_t from = 0, to = 0;  // the messages of the device that is done last
        for (std::size_t d = devices_; d-- > 0;) {
            const std::size_t first = transfers.size();
            double own = plan_.parallelism.overlap == Overlap::off ? s_.run.done[d] : 0.0;
            for (std::size_t i = stages_ - devices_ + d;; i -= devices_) {
                const GradientSync sync = sync_stage(i);
                own = std::max(own, s_.run.done[i]) + sync.exposed.value;
                total += sync.total.value;
                if (i < devices_) break;
            }
            tell_waited(first, transfers.size(), 0);
            if (own < latest) continue;
            latest = own;
            from = first, to = transfers.size();
        }
        const double waited = std::max(0.0, latest - end);
        tell_waited(from, to, waited);
        return {waited, std::max(0.0, total - waited)};
    }
    /// Divides the seconds that the step waits among these messages, in proportion to their times.
    void tell_waited(std::size_t from, std::size_t to, double waited) const {
        const std::span messages = std::span(s_.division.transfers).subspan(from, to - from);
        Seconds all{0};
        for (const Transfer& t : messages) all += t.each * static_cast<double>(t.times);
        double share = all.value > 0 ? waited * part_.count / all.value : 0;  // copies may add to it
        if (std::abs(share - 1) < 1e-12) share = 1;                           // rounding hides nothing
        for (Transfer& t : messages) {
            t.exposed = t.each * static_cast<double>(t.times) * share;
            t.hidden = std::max(Seconds{0}, t.each * static_cast<double>(t.times) - t.exposed);
        }
    }
    GradientSync sync_stage(std::size_t i) const {
        if (s_.division.states.sharded >= Sharded::gradients)  // those of each micro-batch are sent already
            return sum_over_tensor(plan_, part_index_, s_.borders[i], s_.borders[i + 1], point_, mesh_, axes_, s_);
        return reduce_range(plan_, part_index_, s_.borders[i], s_.borders[i + 1], samples_, point_, mesh_, axes_, s_);
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
            const GroupReach group = reach_of_stages(ranks, first, last, width(), plan_.links);
            const MessageCost cost = message_cost(Message::all_reduce, point_.collective, group, plan_.links);
            const Seconds each = cost.at(bytes);
            total += each.value;
            if (s_.division.in_full)
                s_.division.send({part_index_, Message::all_reduce, cost.best(bytes).algorithm, owner, owner, false,
                                  true, MeshAxis::pipeline, When::blocking, group, 1, bytes, each},
                                 part_.count);
        }
        return total;
    }
};

}  // namespace

StepParts pipeline_step(const Plan& plan, int part, const Point& point, const Mesh& mesh, const MicroSteps& steps,
                        const MicroSteps& micro_batches, const LayerAxes* axes, Scratch& scratch) {
    return PipelineStep(plan, part, point, mesh, steps, micro_batches, axes, scratch).run();
}

}  // namespace scalescope
