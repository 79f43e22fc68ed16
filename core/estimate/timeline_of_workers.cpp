// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/estimate/timeline_kinds.hpp"

namespace scalescope {
namespace {

/// Sums over one network, for one micro-step: what an earlier micro-step shows in one piece.
struct MicroStep {
    Seconds forward{0}, backward{0}, sent_forward{0}, sent_backward{0};
};

/// Draws the step of workers that all do the same, on a clock that starts at zero.
class WorkerTimeline {
public:
    WorkerTimeline(const Plan& plan, const Estimate& estimate) : plan_(plan), e_(estimate) {
        t_.rows = {"work", "communication"};
        for (const auto& m : e_.messages)
            if (at_cut(m) && m.hidden.value > 0)
                t_.rows.resize(3, "cut");
            else if (m.when == When::before_layer)
                t_.rows.resize(3, "weights");
        if (std::any_of(e_.messages.begin(), e_.messages.end(), over_groups)) {
            groups_row_ = static_cast<int>(t_.rows.size());
            t_.rows.emplace_back("groups of replicas");
        }
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
    int groups_row_ = communication;  ///< of sums over groups of replicas

    Seconds exchanges_{0}, waiting_{0};  ///< asynchronous updates: with the servers, and for other workers there

    enum Row { work, communication, cut_row, servers = cut_row, weights = cut_row };

    static bool at_cut(const Transfer& m) { return m.when == When::at_cut; }
    static bool over_groups(const Transfer& m) { return m.over_groups; }
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
        std::vector<const MessageEstimate*> gradients, shards;
        // Sharded states: weights before they are used and when they are updated, gradients of every micro-step.
        std::vector<std::vector<const MessageEstimate*>> gather_forward(layers.size()), gather_backward(layers.size());
        std::vector<const MessageEstimate*> updated, of_each;
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
            if (m.gradients && m.every_pass) {
                of_each.push_back(&m);
                sum.sent_backward += m.exposed * micro;
            } else if (m.gradients) {
                (m.weights ? updated : m.over_groups ? shards : gradients).push_back(&m);
                reduced += m.exposed * once;
            } else if (!m.layers.empty()) {
                (m.weights   ? (m.forward ? gather_forward : gather_backward)
                 : m.forward ? forward
                             : backward)[static_cast<std::size_t>(m.layers[0])]
                    .push_back(&m);
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
                const Seconds hidden = m->beside_work() || m->when == When::beside_block || m->when == When::blocking
                                           ? m->hidden * micro
                                           : Seconds{0};
                // Beside work that ends before it is waited for; around a ring, beside the backward pass that follows.
                const bool follows = !m->forward && m->when == When::beside_layer;
                if (!follows) put(Activity::hidden, row, m->layers[0], std::max(Seconds{0}, now_ - hidden), hidden);
                advance(Activity::communication, row, m->layers[0], m->exposed * micro);
                if (follows) put(Activity::hidden, row, m->layers[0], now_, hidden);
            }
        };
        const auto send_over_cut = [&](const std::vector<std::vector<const MessageEstimate*>>& messages) {
            for (int l = 0; l < cut; ++l) send(messages[static_cast<std::size_t>(l)]);
        };
        Seconds asked = now_;  // when the gather of the next weights began
        const auto gather = [&](const std::vector<const MessageEstimate*>& messages) {
            for (const auto* m : messages) {
                put(Activity::hidden, weights, m->layers[0], asked, m->hidden * micro);
                asked += m->hidden * micro;
                advance(Activity::communication, weights, m->layers[0], m->exposed * micro);
            }
            if (!messages.empty()) asked = now_;
        };
        for (const auto& row : layers) {
            gather(gather_forward[static_cast<std::size_t>(row.position)]);
            if (row.position == cut) {
                send_over_cut(forward);
                hide_transfers(forward, backward, micro);
            }
            advance(Activity::forward, work, row.position, row.forward * micro);
            if (row.position >= cut) send(forward[static_cast<std::size_t>(row.position)]);
        }
        asked = now_;
        for (std::size_t i = layers.size(); i-- > 0;) {
            gather(gather_backward[i]);
            if (layers[i].position == cut - 1) send_over_cut(backward);
            if (layers[i].position >= cut) send(backward[i]);  // the gradient of its output
            advance(Activity::recomputation, work, layers[i].position, layers[i].recompute * micro);
            advance(Activity::backward, work, layers[i].position, layers[i].grad_input * micro);
            advance(Activity::weight_gradients, work, layers[i].position, layers[i].grad_weights * micro);
        }
        if (e_.servers) return exchange(layers, gradients, waiting, once);
        all_reduce(of_each, now_ - reducing * micro, micro);
        all_reduce(gradients, now_ - reducing * micro, once);
        all_reduce(shards, now_, once);
        for (const auto& row : layers) advance(Activity::update, work, row.position, row.update * once);
        Seconds sent{0};
        for (const auto* m : updated) {
            if (m->when == When::before_layer) put(Activity::hidden, weights, m->layers[0], sent, m->hidden * once);
            sent += m->hidden * once;
            advance(Activity::communication, communication, -1, m->exposed * once);
        }
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
            const int layer = m->layers.size() == 1 ? m->layers[0] : -1,
                      row = m->over_groups ? groups_row_ : static_cast<int>(communication);
            const Seconds hidden = m->hidden * once;
            put(Activity::hidden, row, layer, std::min(backward_start + m->start, backward_end - hidden), hidden);
            advance(Activity::communication, row, layer, m->exposed * once);
        }
    }
};

}  // namespace

Timeline timeline_of_workers(const Plan& plan, const Estimate& estimate) {
    return WorkerTimeline(plan, estimate).make();
}

}  // namespace scalescope
