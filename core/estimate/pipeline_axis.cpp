// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline axis: stages of consecutive layers (docs/decisions/dividing-work.md).
#include <algorithm>
#include <cmath>

#include "core/estimate/step.hpp"
#include "core/schedule/fill_drain.hpp"

namespace scalescope {
namespace {

class PipelineStep {
public:
    PipelineStep(const Plan& plan, int part, const Point& point, const Mesh& mesh, const MicroSteps& steps,
                 const MicroSteps& micro_batches, const TensorAxis* axis, Scratch& scratch)
        : plan_(plan),
          part_(plan.parts[static_cast<std::size_t>(part)]),
          part_index_(part),
          point_(point),
          mesh_(mesh),
          stages_(static_cast<std::size_t>(mesh.pipeline)),
          batches_(micro_batches.count),
          repeat_(static_cast<double>(steps.count)),
          samples_(static_cast<double>(micro_batches.samples)),
          lines_(part_.lines && axis == nullptr),
          axis_(axis),
          s_(scratch),
          crossings_(axis ? axis->crossings : part_.crossings) {}

    StepParts run() {
        price();
        cut();
        std::size_t busiest = 0;
        double largest_update = 0;
        for (std::size_t i = 0; i < stages_; ++i) {
            measure(i);
            if (s_.stage_forward[i] + s_.stage_backward[i] > s_.stage_forward[busiest] + s_.stage_backward[busiest])
                busiest = i;
            largest_update = std::max(largest_update, update_of(i));
        }
        const FillDrain pipeline =
            fill_drain({s_.stage_forward, s_.stage_backward, s_.activation, s_.gradient}, batches_);
        if (s_.division.in_full) tell_borders(pipeline);
        const Reduced reduced = reduce_gradients();
        const double copies = sync_copies(), m = static_cast<double>(batches_);
        const TensorSeconds sent = sent_by(busiest);
        StepParts p;
        p.forward = repeat_ * m * (s_.stage_forward[busiest] - sent.forward);
        p.backward = repeat_ * m * (s_.stage_backward[busiest] - sent.backward);
        const double waited = repeat_ * pipeline.exposed.value, within = repeat_ * m * (sent.forward + sent.backward);
        p.communication = waited + within + copies + reduced.exposed;
        p.hidden = repeat_ * std::max(0.0, (pipeline.transfers - pipeline.exposed).value) + reduced.hidden;
        p.update = largest_update;
        p.idle = std::max(0.0, repeat_ * pipeline.span.value - (p.forward + p.backward + waited + within));
        for (std::size_t i = 0; i < stages_; ++i)
            s_.division.run({part_index_, s_.borders[i], s_.borders[i + 1], samples_, repeat_ * m, samples_ * m,
                             axis_ != nullptr, static_cast<int>(i)});
        return p;
    }

private:
    struct Reduced {
        double exposed = 0, hidden = 0;
    };
    const Plan& plan_;
    const PlanPart& part_;
    int part_index_;
    const Point& point_;
    const Mesh& mesh_;
    std::size_t stages_;
    std::int64_t batches_;
    double repeat_, samples_;
    bool lines_;  ///< times are sums of straight lines
    const TensorAxis* axis_;
    Scratch& s_;
    const Crossings& crossings_;
    LinearCost near_{}, far_{};  ///< to the next stage, in the same node or in another

    std::int64_t width() const { return mesh_.in_stage(); }
    /// Of the layer's weights, on a worker of its stage.
    double share(int layer) const { return axis_ ? axis_->weights[static_cast<std::size_t>(layer)] : 1.0; }

    /// Seconds of each layer, and of its messages.
    void price() {
        const int n = part_.work.layers;
        if (axis_) {
            s_.sent.assign(static_cast<std::size_t>(n), {});
            price_tensor_messages(plan_, part_index_, axis_->messages, reach_of(mesh_, MeshAxis::tensor, plan_.links),
                                  point_.collective, samples_, batches_ * static_cast<std::int64_t>(repeat_), s_,
                                  &s_.sent);
        }
        if (s_.division.in_full || !lines_)
            price_passes(part_.work, 0, n, samples_, axis_ ? axis_->shares() : Shares{}, plan_.device, s_.times);
        s_.layer_total.resize(static_cast<std::size_t>(n));
        for (std::size_t l = 0; l < s_.layer_total.size(); ++l) {
            s_.layer_total[l] = lines_ ? part_.lines.layer(static_cast<int>(l), samples_, 1.0, 1.0)
                                       : s_.times.pass[0][l] + (s_.times.pass[1][l] + s_.times.pass[2][l]);
            if (axis_) s_.layer_total[l] += s_.sent[l].forward + s_.sent[l].backward;
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
        for (auto* v : {&s_.stage_forward, &s_.stage_backward, &s_.activation, &s_.gradient}) v->resize(stages_);
        near_ = neighbour_cost(true, width(), plan_.links);
        far_ = neighbour_cost(false, width(), plan_.links);
    }

    TensorSeconds sent_by(std::size_t stage) const {
        TensorSeconds sum;
        if (!axis_) return sum;
        for (int l = s_.borders[stage]; l < s_.borders[stage + 1]; ++l) {
            sum.forward += s_.sent[static_cast<std::size_t>(l)].forward;
            sum.backward += s_.sent[static_cast<std::size_t>(l)].backward;
        }
        return sum;
    }

    /// What stage `i` computes and sends in one micro-batch.
    void measure(std::size_t i) {
        double forward = 0, backward = 0;
        if (lines_) {
            const PassTotals t = part_.lines.totals(s_.borders[i], s_.borders[i + 1], samples_);
            forward = t.forward, backward = t.backward();
        } else {
            for (auto l = static_cast<std::size_t>(s_.borders[i]); l < static_cast<std::size_t>(s_.borders[i + 1]);
                 ++l) {
                forward += s_.times.pass[0][l];
                backward += s_.times.pass[1][l] + s_.times.pass[2][l];
            }
        }
        const TensorSeconds sent = sent_by(i);
        s_.stage_forward[i] = forward + sent.forward;
        s_.stage_backward[i] = backward + sent.backward;
        s_.activation[i] = s_.gradient[i] = 0;
        if (i + 1 == stages_) return;
        const LinearCost& link = next_in_node(static_cast<std::int64_t>(i), width(), plan_.links) ? near_ : far_;
        const auto border = static_cast<std::size_t>(s_.borders[i + 1]);
        const auto transfer = [&](double bytes) { return bytes > 0 ? link.at(Bytes{bytes * samples_}).value : 0.0; };
        s_.activation[i] = transfer(crossings_.activations[border]);
        s_.gradient[i] = transfer(crossings_.gradients[border]);
    }

    double update_of(std::size_t i) const {
        const int from = s_.borders[i], to = s_.borders[i + 1];
        const auto first = static_cast<std::size_t>(from), end = static_cast<std::size_t>(to);
        double trained = 0;
        if (axis_)
            for (int l = from; l < to; ++l) trained += part_.work.trained[static_cast<std::size_t>(l)] * share(l);
        else
            trained = part_.trained_before[end] - part_.trained_before[first];
        int operations = part_.trained_layers_before[end] - part_.trained_layers_before[first];
        for (const WeightUse& use : part_.network->weight_uses()) {  // a copy of weights of an earlier stage
            if (use.layer < from || use.layer >= to || use.previous >= from) continue;
            const double copied = part_.work.trained[static_cast<std::size_t>(use.owner)] * share(use.owner);
            trained += copied;
            operations += copied > 0 ? 1 : 0;
        }
        return price_update(trained, operations, plan_.update, plan_.device).value;
    }

    void tell_borders(const FillDrain& pipeline) const {
        const std::int64_t times = batches_ * static_cast<std::int64_t>(repeat_);
        for (std::size_t i = 0; i + 1 < stages_; ++i) {
            const auto stage = static_cast<std::int64_t>(i);
            const GroupReach group = reach_of_stages(2, stage, stage + 1, width(), plan_.links);
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

    /// Each stage adds up its gradients over the other axes when its own last micro-batch is through; the step waits
    /// for the last one.
    Reduced reduce_gradients() const {
        if (mesh_.data == 1 && !(axis_ && !axis_->sums_weights.empty())) return {};
        // When each stage has its last micro-batch behind it, after the start of backward: all micro-batches are alike,
        // so each but the first adds the slowest stage or link behind it.
        const double more = static_cast<double>(batches_ - 1);
        const auto& transfers = s_.division.transfers;
        double sum = 0, slowest = 0, latest = 0, end = 0, total = 0;
        std::size_t from = 0, to = 0;  // the messages of the stage that is done last
        for (std::size_t i = stages_; i-- > 0;) {
            const double link = i + 1 < stages_ ? s_.gradient[i] : 0.0;
            sum += s_.stage_backward[i] + link;
            slowest = std::max({slowest, s_.stage_backward[i], link});
            end = sum + more * slowest;
            const std::size_t first = transfers.size();
            const GradientSync sync = sync_stage(i);
            total += sync.total.value;
            tell_waited(first, transfers.size(), 0);
            if (end + sync.exposed.value < latest) continue;
            latest = end + sync.exposed.value;
            from = first, to = transfers.size();
        }
        const double waited = latest - end;  // stage 0 ends last
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
        return reduce_range(plan_, part_index_, s_.borders[i], s_.borders[i + 1], samples_, point_, mesh_, axis_, s_);
    }

    /// All-reduce of the gradients of weights that several stages hold a copy of, one after the other when all stages
    /// are done (as Megatron-LM does for tied embeddings; docs/decisions/shared-weights.md).
    double sync_copies() const {
        const auto uses = part_.network->weight_uses();
        double total = 0;
        for (std::size_t i = 0; i < uses.size();) {
            const int owner = uses[i].owner, first = stage_at(s_.borders, owner);
            int last = first;
            std::int64_t ranks = 1;
            for (; i < uses.size() && uses[i].owner == owner; ++i) {
                const int stage = stage_at(s_.borders, uses[i].layer);
                ranks += stage != last ? 1 : 0;
                last = stage;
            }
            const Bytes bytes{part_.work.gradient_bytes[static_cast<std::size_t>(owner)] * share(owner)};
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
                        const MicroSteps& micro_batches, const TensorAxis* axis, Scratch& scratch) {
    return PipelineStep(plan, part, point, mesh, steps, micro_batches, axis, scratch).run();
}

}  // namespace scalescope
