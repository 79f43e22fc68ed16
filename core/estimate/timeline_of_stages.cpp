// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/limits.hpp"
#include "core/estimate/timeline_kinds.hpp"
#include "core/schedule/pipeline_order.hpp"

namespace scalescope {
namespace {

/// A pipeline of stages, stepped through once and drawn for each micro-step.
class StagesTimeline {
public:
    StagesTimeline(const Plan& plan, const Estimate& e)
        : plan_(plan),
          e_(e),
          shape_(e.schedule.shape),
          stages_(static_cast<std::size_t>(shape_.stages())),
          devices_(static_cast<std::size_t>(shape_.devices)),
          sent_forward_(e.layers.size()),
          sent_backward_(e.layers.size()),
          gathered_(e.layers.size()),
          reduced_(e.layers.size()),
          recomputed_(stages_),
          weights_(stages_),
          ended_(devices_) {
        measure();
        make_rows();
    }

    Timeline make() {
        constexpr double of_each = 6;  // two messages, a forward pass, the three parts of a backward pass
        const double pieces = static_cast<double>(stages_) * static_cast<double>(shape_.micro_batches) * of_each;
        const double steps = static_cast<double>(steps_added_up(plan_, e_));
        const bool each = drawn_ = pieces * steps <= static_cast<double>(limits::timeline_intervals);
        // Fill and drain has no limit of passes, but a closed form.
        if (each || e_.schedule.order != PipelineOrder::fill_drain)
            run_pipeline(e_.schedule.order, shape_, e_.schedule.times(), each, run_);
        Seconds now{0};
        if (!each) {
            put_windows(steps);
            now = Seconds{e_.schedule.span * steps};
        }
        std::vector<bool> on_chain(run_.pieces.size());
        for (const int at : pieces_of_chain(run_.pieces)) on_chain[static_cast<std::size_t>(at)] = true;
        for (double step = 0; each && step < steps; ++step, now += Seconds{e_.schedule.span})
            for (std::size_t i = 0; i < run_.pieces.size(); ++i) put_piece(run_.pieces[i], now, on_chain[i]);
        now = put_gradients(now);
        for (std::size_t d = 0; drawn_ && d < devices_; ++d) put_idle(d, now);
        put_updates(now);
        const Seconds done = t_.end;
        const bool waits = plan_.training.input_limit.value > 0 || plan_.overhead.value > 0;
        if (waits && e_.summary.step > done)  // for the input, or the hosts
            for (std::size_t d = 0; d < devices_; ++d)
                put({Activity::idle, device_row(d), -1, done, e_.summary.step - done});
        return std::move(t_);
    }

private:
    const Plan& plan_;
    const Estimate& e_;
    const PipelineShape& shape_;
    std::size_t stages_, devices_;
    const std::vector<double>&forward_ = e_.schedule.forward, &backward_ = e_.schedule.backward,
          &activation_ = e_.schedule.activation, &gradient_ = e_.schedule.gradient;
    std::vector<Seconds> sent_forward_, sent_backward_;  // within a stage, by layer
    std::vector<Seconds> gathered_, reduced_;            // and for sharded states
    std::vector<Seconds> recomputed_, weights_;          ///< by stage: of one backward pass
    std::vector<Seconds> ended_;                         ///< by device: its last pass
    bool drawn_ = false;                                 ///< each piece, and not windows of many
    bool reduces_ = false, groups_ = false;  ///< gradients are summed over replicas, and over groups of them
    PipelineRun run_;
    std::vector<int> device_row_, link_row_, gradient_row_, groups_row_;
    Timeline t_;

    int device_row(std::size_t d) const { return device_row_[d]; }
    /// Under which gradients hide: one backward pass without messages within the stage, nor the time in which weights
    /// are gathered.
    Seconds work_of_backward(std::size_t k) const {
        Seconds work{0};
        for (int l = e_.runs[k].from; l < e_.runs[k].to; ++l) {
            const auto& row = e_.layers[static_cast<std::size_t>(l)];
            work += row.backward() / row.repeat - row.gathers;
        }
        return work;
    }
    /// The run of layers that a layer is in: runs of a pipeline are its stages.
    std::size_t stage_of(int layer) const {
        std::size_t k = 0;
        while (layer >= e_.runs[k].to) ++k;
        return k;
    }

    void measure() {
        for (std::size_t k = 0; k < stages_; ++k)
            for (int l = e_.runs[k].from; l < e_.runs[k].to; ++l) {
                const auto& row = e_.layers[static_cast<std::size_t>(l)];
                recomputed_[k] += row.recompute / row.repeat;
                weights_[k] += row.grad_weights / row.repeat;
            }
        for (const auto& m : e_.messages) {
            if (m.layers.empty()) continue;
            const auto layer = static_cast<std::size_t>(m.layers[0]);
            if (m.every_pass) {
                const Seconds waited = m.exposed * (1.0 / static_cast<double>(m.times));
                (m.gradients ? reduced_ : m.forward ? gathered_ : sent_backward_)[layer] += waited;
            } else if (m.gradients) {
                reduces_ = reduces_ || (m.axis != MeshAxis::pipeline && !m.weights);
                groups_ = groups_ || m.over_groups;
            } else if (m.when != When::at_border) {
                const Seconds waited = m.exposed * (static_cast<double>(m.successive) / static_cast<double>(m.times));
                (m.forward ? sent_forward_ : sent_backward_)[layer] += waited;
            }
        }
    }

    void make_rows() {
        const auto add = [&](std::string name) {
            t_.rows.push_back(std::move(name));
            return static_cast<int>(t_.rows.size()) - 1;
        };
        const auto number = [](std::size_t d) { return std::to_string(d + 1); };
        for (std::size_t d = 0; d < devices_; ++d) {
            device_row_.push_back(add((shape_.chunks > 1 ? "device " : "stage ") + number(d)));
            const bool linked = d + 1 < devices_ || shape_.chunks > 1;
            link_row_.push_back(linked ? add(number(d) + " \u2192 " + number((d + 1) % devices_)) : -1);
            gradient_row_.push_back(reduces_ ? add("gradients of " + number(d)) : -1);
            groups_row_.push_back(groups_ ? add("groups of replicas of " + number(d)) : -1);
        }
    }

    void put(Interval i) {
        if (i.length.value <= 0) return;
        t_.end = std::max(t_.end, i.start + i.length);
        t_.intervals.push_back(i);
    }

    /// The bubble: from the end of the device's last pass.
    void put_idle(std::size_t d, Seconds until) {
        constexpr double least = 1e-9;  // of the pipeline's run: sums of the same times in another order
        if (until - ended_[d] > Seconds{least * e_.schedule.span})
            put({Activity::idle, device_row(d), -1, ended_[d], until - ended_[d]});
    }
    /// What is computed again, then gradients of activations, then of weights: layer by layer they take turns.
    void put_backward(std::size_t k, Interval i, bool split) {
        const Seconds whole = i.length, again = std::min(recomputed_[k], whole),
                      last = split ? Seconds{0} : std::min(weights_[k], whole - again);
        for (const auto& [activity, length] :
             {std::pair{Activity::recomputation, again}, std::pair{Activity::backward, whole - again - last},
              std::pair{Activity::weight_gradients, last}}) {
            i.activity = activity;
            i.length = length;
            put(i);
            i.start += length;
        }
    }

    void put_piece(const PipelinePiece& piece, Seconds now, bool on_chain) {
        const auto k = static_cast<std::size_t>(piece.stage), d = k % devices_;
        const Seconds start = now + Seconds{piece.start};
        const bool work = piece.kind <= PieceKind::weights;
        const Activity activity = !work                              ? Activity::communication
                                  : piece.kind == PieceKind::forward ? Activity::forward
                                  : piece.kind == PieceKind::weights ? Activity::weight_gradients
                                                                     : Activity::backward;
        const Interval i{
            activity, work ? device_row(d) : link_row_[d], -1, start, Seconds{piece.length}, 0, piece.micro_batch,
            on_chain};
        if (work) {
            put_idle(d, start);
            ended_[d] = std::max(ended_[d], start + i.length);
        }
        if (work && shape_.micro_batches == 1 && piece.kind != PieceKind::weights)
            put_layers(k, i);  // one micro-batch: its layers are drawn one by one
        else if (activity == Activity::backward)
            put_backward(k, i, splits_backward(e_.schedule.order));
        else
            put(i);
    }
    void put_layers(std::size_t k, Interval i) {
        const bool ahead = i.activity == Activity::forward, split = splits_backward(e_.schedule.order);
        const auto from = static_cast<std::size_t>(e_.runs[k].from), to = static_cast<std::size_t>(e_.runs[k].to);
        for (std::size_t n = 0; n < to - from; ++n) {
            const std::size_t at = ahead ? from + n : to - 1 - n;
            const auto& row = e_.layers[at];
            i.layer = row.position;
            const auto piece = [&](Activity a, Seconds length) {
                i.activity = a;
                i.length = length;
                put(i);
                i.start += length;
            };
            piece(Activity::communication, ahead ? gathered_[at] : sent_backward_[at]);
            if (ahead) piece(Activity::forward, row.forward / row.repeat);
            if (!ahead) piece(Activity::recomputation, row.recompute / row.repeat);
            if (!ahead) piece(Activity::backward, row.grad_input / row.repeat);
            if (!ahead && !split) piece(Activity::weight_gradients, row.grad_weights / row.repeat);
            piece(Activity::communication, ahead ? sent_forward_[at] : split ? Seconds{0} : reduced_[at]);
        }
    }

    /// Too many pieces to draw: each device from its first micro-batch to its last as one piece for each pass,
    /// and all micro-steps as one, longer by as much.
    void put_windows(double steps) {
        const auto window = [&](Activity a, std::size_t d, double from, double to) {
            put({a, device_row(d), -1, Seconds{from * steps}, Seconds{(to - from) * steps}});
            ended_[d] = std::max(ended_[d], Seconds{to * steps});
        };
        const double rest = static_cast<double>(shape_.micro_batches - 1);
        if (e_.schedule.order != PipelineOrder::fill_drain) {  // passes take turns: as long as they take together
            for (std::size_t d = 0; d < devices_; ++d) {
                double forward = 0;
                for (std::size_t k = d; k < stages_; k += devices_) forward += forward_[k] * (rest + 1);
                const PipelineRun::Device& device = run_.devices[d];
                const double middle = device.start + forward / device.busy * (device.end - device.start);
                window(Activity::forward, d, device.start, middle);
                window(Activity::backward, d, middle, device.end);
            }
            return;
        }
        double start = 0, slowest = 0, end = 0;
        for (std::size_t s = 0; s < stages_; ++s) {
            slowest = std::max(slowest, forward_[s]);
            end = start + forward_[s] + rest * slowest;
            window(Activity::forward, s, start, end);
            slowest = std::max(slowest, activation_[s]);
            start += forward_[s] + activation_[s];
        }
        start = end;
        slowest = 0;
        for (std::size_t s = stages_; s-- > 0;) {
            slowest = std::max(slowest, backward_[s]);
            window(Activity::backward, s, start, start + backward_[s] + rest * slowest);
            if (s == 0) break;
            slowest = std::max(slowest, gradient_[s - 1]);
            start += backward_[s] + gradient_[s - 1];
        }
    }

    /// Gradients of each device, as soon as they are ready and the message before is through; then those of weights
    /// that several stages hold. Gives the time when all have arrived.
    Seconds put_gradients(Seconds now) {
        std::vector<Seconds> sent(devices_), over_groups(devices_);
        enum Phase { under_backward, back_from_servers, afterwards };
        for (std::size_t k = stages_; k-- > 0;)
            for (const Phase phase : {under_backward, back_from_servers, afterwards})
                for (const auto& m : e_.messages) {
                    if (!m.after_stage() || m.layers.empty() || stage_of(m.layers[0]) != k) continue;
                    const std::size_t d = k % devices_;
                    const bool under = m.when == When::under_backward, beside = under && m.over_groups;
                    const double there = under ? share_under_backward(m.algorithm) : 1.0;
                    if (under == (phase == afterwards) || (phase == back_from_servers && there == 1)) continue;
                    const Seconds ready = phase == afterwards          ? std::max(ended_[d], over_groups[d])
                                          : phase == back_from_servers ? ended_of(k)
                                          : beside                     ? std::max(ended_of(k), sent[d]) + m.start
                                                                       : ended_of(k) - work_of_backward(k) + m.start;
                    Seconds& free = beside ? over_groups[d] : sent[d];
                    const Seconds start = std::max(free, ready),
                                  length = m.each * (phase == back_from_servers ? 1 - there : there);
                    put({Activity::communication, m.over_groups ? groups_row_[d] : gradient_row_[d],
                         m.layers.size() == 1 ? m.layers[0] : -1, start, length});
                    free = start + length;
                    now = std::max(now, free);
                }
        for (const auto& m : e_.messages) {
            if (!m.gradients || m.layers.empty() || m.axis != MeshAxis::pipeline) continue;
            const int owner = m.layers[0];
            const std::size_t d = stage_of(owner) % devices_;
            if (drawn_) put_idle(d, now);
            put({Activity::communication, device_row(d), owner, now, m.each});
            now += m.each;
            ended_[d] = now;
        }
        t_.end = std::max(t_.end, now);
        return now;
    }
    /// All devices at once, and then the weights that were updated; what hides behind the next step is not drawn.
    void put_updates(Seconds now) {
        Seconds longest{0};
        for (std::size_t d = 0; d < devices_; ++d) {
            put({Activity::update, device_row(d), -1, now, update_of(d)});
            longest = std::max(longest, update_of(d));
        }
        std::vector<Seconds> sent(devices_, now + longest);
        for (const auto& m : e_.messages) {
            if (!m.gradients || !m.weights || m.layers.empty()) continue;
            const std::size_t d = stage_of(m.layers[0]) % devices_;
            const Seconds waited =
                m.when == When::before_layer ? m.exposed * (1.0 / static_cast<double>(m.times)) : m.each;
            put({Activity::communication, device_row(d), -1, sent[d], waited});
            sent[d] += waited;
        }
    }
    /// When the gradients of a stage are complete.
    Seconds ended_of(std::size_t k) const {
        const Seconds device = ended_[k % devices_];
        return shape_.chunks == 1 ? device : device - Seconds{e_.schedule.done[k % devices_] - e_.schedule.done[k]};
    }
    Seconds update_of(std::size_t d) const {
        Seconds update{0};
        for (const auto& row : e_.layers)
            if (row.stage == static_cast<int>(d)) update += row.update;
        return update;
    }
};

}  // namespace

Timeline timeline_of_stages(const Plan& plan, const Estimate& estimate) {
    return StagesTimeline(plan, estimate).make();
}

}  // namespace scalescope
