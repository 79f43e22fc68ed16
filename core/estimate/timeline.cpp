// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/timeline.hpp"

#include <algorithm>

#include "core/base/limits.hpp"
#include "core/schedule/fill_drain.hpp"

namespace scalescope {
namespace {

/// Sums over one network, for one micro-step: what an earlier micro-step shows in one piece.
struct MicroStep {
    Seconds forward{0}, backward{0}, sent_forward{0}, sent_backward{0};
};

std::int64_t steps_added_up(const Plan& plan, const Estimate& e) { return micro_steps(plan, e.summary.batch).count; }

/// Draws the step of workers that all do the same, on a clock that starts at zero.
class WorkerTimeline {
public:
    WorkerTimeline(const Plan& plan, const Estimate& estimate) : plan_(plan), e_(estimate) {
        t_.rows = {"work", "communication"};
        for (const auto& m : e_.messages)
            if (at_cut(m) && m.hidden.value > 0) t_.rows.resize(3, "cut");
        if (!e_.servers) return;
        t_.rows.resize(3, "servers");
        for (const auto& m : e_.messages) exchanges_ += m.exposed;
        waiting_ = e_.servers->state.waiting;
    }

    Timeline make() {
        std::size_t row = 0;
        for (std::size_t part = 0; part < plan_.parts.size(); ++part) {
            const std::size_t first = row;
            row += static_cast<std::size_t>(plan_.parts[part].work.layers);
            network(static_cast<int>(part), std::span{e_.layers}.subspan(first, row - first));
        }
        const Seconds idle = e_.summary.idle - waiting_;
        if (idle.value > 0) put(Activity::idle, 0, -1, now_, idle);
        return std::move(t_);
    }

private:
    const Plan& plan_;
    const Estimate& e_;
    Timeline t_;
    Seconds now_{0};
    int part_ = 0;

    Seconds exchanges_{0}, waiting_{0};  ///< asynchronous updates: with the servers, and for other workers there

    enum Row { work, communication, cut_row, servers = cut_row };

    static bool at_cut(const Transfer& m) { return m.when == When::at_cut; }
    void put(Activity a, int row, int layer, Seconds start, Seconds length) {
        if (length.value > 0) t_.intervals.push_back({a, row, layer, start, length, part_});
        t_.end = std::max(t_.end, start + length);
    }
    void advance(Activity a, int row, int layer, Seconds length) {
        put(a, row, layer, now_, length);
        now_ += length;
    }

    void network(int part, std::span<const LayerEstimate> layers) {
        part_ = part;
        const auto executions = static_cast<std::int64_t>(plan_.parts[static_cast<std::size_t>(part)].count);
        const std::int64_t micro_steps = steps_added_up(plan_, e_);
        const double once = 1.0 / static_cast<double>(executions), micro = once / static_cast<double>(micro_steps);
        Seconds update{0}, reduced{0};
        Seconds reducing{0};  // backward of the layers whose gradients are all-reduced: the clock of their messages
        MicroStep sum;
        std::vector<std::vector<const MessageEstimate*>> forward(layers.size()), backward(layers.size());
        std::vector<const MessageEstimate*> gradients;
        for (const auto& row : layers) {
            update += row.update * once;
            sum.forward += row.forward * micro;
            sum.backward += row.backward() * micro;
        }
        // Where the network is cut into two parts, transfers there wait where the second begins and ends, not where
        // their tensors are made.
        int cut = 0;
        for (const LayerRun& run : e_.runs) {
            if (run.part != part) continue;
            cut = run.from;
            const bool reduced_here = std::any_of(e_.messages.begin(), e_.messages.end(), [&](const auto& m) {
                return m.gradients && m.part == part && m.first >= run.from && m.first < run.to;
            });
            for (int l = run.from; reduced_here && l < run.to; ++l)
                reducing += layers[static_cast<std::size_t>(l)].backward();
        }
        for (const auto& m : e_.messages) {
            if (m.part != part) continue;
            if (m.gradients) {
                gradients.push_back(&m);
                reduced += m.exposed * once;
            } else if (!m.layers.empty()) {
                (m.forward ? forward : backward)[static_cast<std::size_t>(m.layers[0])].push_back(&m);
                (m.forward ? sum.sent_forward : sum.sent_backward) += m.exposed * micro;
            }
        }
        // Earlier executions, and the micro-steps before the last one, in one piece for each pass; very many of them
        // in one piece altogether.
        const Seconds waiting = exchanges_.value > 0 ? waiting_ * (reduced / exchanges_) : Seconds{0};
        repeat(executions - 1, [&](double times) {
            pieces(sum, times * static_cast<double>(micro_steps));
            advance(Activity::idle, work, -1, waiting * times);
            advance(Activity::communication, communication, -1, reduced * times);
            advance(Activity::update, work, -1, update * times);
        });
        repeat(micro_steps - 1, [&](double times) { pieces(sum, times); });
        const auto send = [&](const std::vector<const MessageEstimate*>& messages) {
            for (const auto* m : messages) {
                const int row = at_cut(*m) && t_.rows.size() > 2 ? cut_row : communication;
                advance(Activity::communication, row, m->layers[0], m->exposed * micro);
            }
        };
        const auto send_over_cut = [&](const std::vector<std::vector<const MessageEstimate*>>& messages) {
            for (int l = 0; l < cut; ++l) send(messages[static_cast<std::size_t>(l)]);
        };
        for (const auto& row : layers) {
            if (row.position == cut) {
                send_over_cut(forward);
                hide_transfers(forward, backward, micro);
            }
            advance(Activity::forward, work, row.position, row.forward * micro);
            if (row.position >= cut) send(forward[static_cast<std::size_t>(row.position)]);
        }
        for (std::size_t i = layers.size(); i-- > 0;) {
            if (layers[i].position == cut - 1) send_over_cut(backward);
            if (layers[i].position >= cut) send(backward[i]);  // the gradient of its output
            advance(Activity::backward, work, layers[i].position, layers[i].backward() * micro);
        }
        if (e_.servers) return exchange(layers, gradients, waiting, once);
        all_reduce(gradients, now_ - reducing * micro, once);
        for (const auto& row : layers) advance(Activity::update, work, row.position, row.update * once);
    }

    /// Gradients to the servers, the line before them, their update, the weights back: the mean of many exchanges.
    void exchange(std::span<const LayerEstimate> layers, const std::vector<const MessageEstimate*>& messages,
                  Seconds waiting, double once) {
        for (const auto* m : messages) {
            if (m->message == Message::pull) {
                advance(Activity::idle, work, -1, waiting);
                for (const auto& row : layers) advance(Activity::update, servers, row.position, row.update * once);
            }
            advance(Activity::communication, communication, -1, m->exposed * once);
        }
    }

    template <class F>
    static void repeat(std::int64_t times, F draw) {
        constexpr std::int64_t drawn_one_by_one = 64;
        if (times > drawn_one_by_one)
            draw(static_cast<double>(times));
        else
            for (std::int64_t i = 0; i < times; ++i) draw(1.0);
    }
    void pieces(const MicroStep& sum, double times) {
        advance(Activity::forward, work, -1, sum.forward * times);
        advance(Activity::communication, communication, -1, sum.sent_forward * times);
        advance(Activity::backward, work, -1, sum.backward * times);
        advance(Activity::communication, communication, -1, sum.sent_backward * times);
    }

    /// While the back part works on a slice, the transfers of its neighbours go on.
    void hide_transfers(const std::vector<std::vector<const MessageEstimate*>>& forward,
                        const std::vector<std::vector<const MessageEstimate*>>& backward, double micro) {
        if (t_.rows.size() < 3) return;
        Seconds at = now_;
        for (const auto* direction : {&forward, &backward})
            for (const auto& messages : *direction)
                for (const auto* m : messages)
                    if (at_cut(*m)) {
                        put(Activity::hidden, cut_row, m->layers[0], at, m->hidden * micro);
                        at += m->hidden * micro;
                    }
    }

    /// The gradients' messages run from where they were ready; what is left at the end of backward is waited for.
    void all_reduce(const std::vector<const MessageEstimate*>& messages, Seconds backward_start, double once) {
        const Seconds backward_end = now_;
        for (const auto* m : messages) {
            const int layer = m->layers.size() == 1 ? m->layers[0] : -1;
            const Seconds hidden = m->hidden * once;
            put(Activity::hidden, communication, layer, std::min(backward_start + m->start, backward_end - hidden),
                hidden);
            advance(Activity::communication, communication, layer, m->exposed * once);
        }
    }
};

/// A pipeline of stages: fill and drain, stepped through, once for each micro-step.
Timeline stages_timeline(const Plan& plan, const Estimate& e) {
    const auto stages = static_cast<std::size_t>(e.layers.back().stage) + 1;
    std::vector<double> forward(stages, 0.0), backward(stages, 0.0), update(stages, 0.0), activation(stages, 0.0),
        gradient(stages, 0.0);
    std::vector<int> layers(stages, 0);
    for (const auto& row : e.layers) {
        const auto s = static_cast<std::size_t>(row.stage);
        forward[s] += row.forward.value / row.repeat;
        backward[s] += row.backward().value / row.repeat;
        update[s] += row.update.value;
        ++layers[s];
    }
    std::vector<Seconds> sent_forward(e.layers.size()), sent_backward(e.layers.size());  // within a stage, by layer
    bool reduces = false;
    for (const auto& m : e.messages) {
        if (m.layers.empty()) continue;
        const auto layer = static_cast<std::size_t>(m.layers[0]);
        const auto s = static_cast<std::size_t>(e.layers[layer].stage);
        if (m.gradients) {
            reduces = reduces || m.axis != MeshAxis::pipeline;
        } else if (m.when == When::at_border) {
            // Activations name the layer before the border, gradients the layer behind it.
            (m.forward ? activation[s] : gradient[s - 1]) = m.each.value;
        } else {
            (m.forward ? sent_forward : sent_backward)[layer] += m.each;
            (m.forward ? forward : backward)[s] += m.each.value;
        }
    }
    const std::int64_t micro_steps = steps_added_up(plan, e);
    const auto batches = static_cast<std::int64_t>(e.layers.front().repeat / static_cast<double>(micro_steps) + 0.5);
    const Pipeline pipeline{forward, backward, activation, gradient};
    const bool drawable = static_cast<double>(stages) * static_cast<double>(batches) * 4.0 <=
                          static_cast<double>(limits::timeline_intervals);
    Timeline once;
    const FillDrain closed = fill_drain(pipeline, batches);
    const Seconds span = drawable ? simulate_fill_drain(pipeline, batches, &once) : closed.span;

    Timeline t;
    for (std::size_t s = 0; s < stages; ++s) {
        t.rows.push_back("stage " + std::to_string(s + 1));
        if (s + 1 < stages) t.rows.push_back(std::to_string(s + 1) + " \u2192 " + std::to_string(s + 2));
        if (reduces) t.rows.push_back("gradients of " + std::to_string(s + 1));
    }
    const int rows = reduces ? 3 : 2;  // of each stage; the last one has no link behind it
    const auto stage_row = [&](std::size_t s) { return rows * static_cast<int>(s); };
    const auto gradient_row = [&](std::size_t s) { return stage_row(s) + (s + 1 < stages ? 2 : 1); };
    const auto row_of = [&](int row) {
        const int count = static_cast<int>(stages);
        return row < count ? rows * row : rows * (row - count) + 1;
    };
    std::vector<Seconds> ended(stages);  // the last micro-batch of each stage
    const auto put = [&](Interval i) {
        if (i.length.value <= 0) return;
        t.end = std::max(t.end, i.start + i.length);
        t.intervals.push_back(i);
    };
    // One micro-batch: its layers can be told apart.
    const auto put_work = [&](Interval i) {
        if (batches > 1) return put(i);
        const bool ahead = i.activity == Activity::forward;
        std::size_t first = 0;
        const auto s = static_cast<std::size_t>(i.row / rows);
        for (std::size_t before = 0; before < s; ++before) first += static_cast<std::size_t>(layers[before]);
        const auto count = static_cast<std::size_t>(layers[s]);
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t at = ahead ? first + k : first + count - 1 - k;
            const auto& row = e.layers[at];
            i.layer = row.position;
            const auto piece = [&](Activity a, Seconds length) {
                i.activity = a;
                i.length = length;
                put(i);
                i.start += length;
            };
            if (!ahead) piece(Activity::communication, sent_backward[at]);
            piece(ahead ? Activity::forward : Activity::backward, (ahead ? row.forward : row.backward()) / row.repeat);
            if (ahead) piece(Activity::communication, sent_forward[at]);
        }
    };
    const auto steps_drawn = static_cast<double>(once.intervals.size()) * static_cast<double>(micro_steps);
    const bool all_steps = drawable && steps_drawn <= static_cast<double>(limits::timeline_intervals);
    Seconds now{0};
    if (!all_steps) {
        // Too many pieces to tell apart: each stage from its first micro-batch to its last in one piece for each pass,
        // and all micro-steps as one, longer by as much.
        const double rest = static_cast<double>(batches - 1), steps = static_cast<double>(micro_steps);
        const auto put_window = [&](Activity a, std::size_t s, double from, double to) {
            put({a, stage_row(s), -1, Seconds{from * steps}, Seconds{(to - from) * steps}});
            ended[s] = std::max(ended[s], Seconds{to * steps});
        };
        double start = 0, slowest = 0, end = 0;
        for (std::size_t s = 0; s < stages; ++s) {
            slowest = std::max(slowest, forward[s]);
            end = start + forward[s] + rest * slowest;
            put_window(Activity::forward, s, start, end);
            slowest = std::max(slowest, activation[s]);
            start += forward[s] + activation[s];
        }
        start = end;
        slowest = 0;
        for (std::size_t s = stages; s-- > 0;) {
            slowest = std::max(slowest, backward[s]);
            put_window(Activity::backward, s, start, start + backward[s] + rest * slowest);
            if (s == 0) break;
            slowest = std::max(slowest, gradient[s - 1]);
            start += backward[s] + gradient[s - 1];
        }
        now = span * steps;
    }
    for (std::int64_t k = 0; all_steps && k < micro_steps; ++k) {
        for (Interval i : once.intervals) {
            const bool work = i.row < static_cast<int>(stages);
            i.start += now;
            if (work) ended[static_cast<std::size_t>(i.row)] = i.start + i.length;
            i.row = row_of(i.row);
            if (i.activity == Activity::communication)
                put(i);
            else
                put_work(i);
        }
        now += span;
    }
    // Gradients of each stage, as soon as they are ready and the message before is through.
    std::vector<Seconds> sent(stages);
    for (const auto& m : e.messages) {
        if (!m.gradients || m.layers.empty() || m.axis == MeshAxis::pipeline) continue;
        const auto s = static_cast<std::size_t>(e.layers[static_cast<std::size_t>(m.layers[0])].stage);
        const Seconds start =
            std::max(sent[s], m.when == When::under_backward ? ended[s] - Seconds{backward[s]} + m.start : ended[s]);
        put({Activity::communication, gradient_row(s), m.layers.size() == 1 ? m.layers[0] : -1, start, m.each});
        sent[s] = start + m.each;
        now = std::max(now, sent[s]);
    }
    for (const auto& m : e.messages) {  // gradients of weights that several stages hold
        if (!m.gradients || m.layers.empty() || m.axis != MeshAxis::pipeline) continue;
        const int owner = m.layers[0], stage = e.layers[static_cast<std::size_t>(owner)].stage;
        put({Activity::communication, stage_row(static_cast<std::size_t>(stage)), owner, now, m.each});
        now += m.each;
    }
    t.end = std::max(t.end, now);
    for (std::size_t s = 0; s < stages; ++s) put({Activity::update, stage_row(s), -1, now, Seconds{update[s]}});
    const Seconds done = t.end;
    const bool waits = plan.training.input_limit.value > 0 || plan.overhead.value > 0;
    if (waits && e.summary.step > done)  // for the input, or the hosts
        for (std::size_t s = 0; s < stages; ++s) put({Activity::idle, stage_row(s), -1, done, e.summary.step - done});
    return t;
}

}  // namespace

Timeline make_timeline(const Plan& plan, const Estimate& estimate) {
    const bool staged = !estimate.runs.empty() && estimate.runs.back().stage > 0;
    if (staged) return stages_timeline(plan, estimate);
    return WorkerTimeline(plan, estimate).make();
}

}  // namespace scalescope
