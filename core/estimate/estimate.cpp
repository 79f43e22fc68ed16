// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/checked.hpp"
#include "core/estimate/cpu_details.hpp"
#include "core/estimate/details.hpp"
#include "core/estimate/memory.hpp"
#include "core/estimate/servers.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope {
namespace {

/// Turns what the strategy reports into the rows of an Estimate.
class Details : public StepRecorder {
public:
    Details(const Plan& plan, Estimate& e) : plan_(plan), e_(e) {
        for (std::size_t p = 0; p < plan.parts.size(); ++p) {
            offset_.push_back(e.layers.size());
            for (int l = 0; l < plan.parts[p].work.layers; ++l) {
                LayerEstimate row;
                row.part = static_cast<int>(p);
                row.position = l;
                e.layers.push_back(row);
            }
        }
    }
    void layers(int part, int from, int to, double samples, const Shares& shares, const PassTimes& times,
                double repeat) override {
        const double count = plan_.parts[static_cast<std::size_t>(part)].count;
        for (int l = from; l < to; ++l) {
            const auto k = static_cast<std::size_t>(l);
            LayerEstimate& row = at(part, l);
            row.samples = samples;
            row.repeat = repeat * count;
            row.in_share = shares.in.empty() ? 1.0 : shares.in[k];
            row.out_share = shares.out.empty() ? 1.0 : shares.out[k];
            row.forward = Seconds{row.repeat * times.pass[0][k]};
            row.grad_input = Seconds{row.repeat * times.pass[1][k]};
            row.grad_weights = Seconds{row.repeat * times.pass[2][k]};
        }
    }
    void update(int part, int from, int to, const Shares& shares) override {
        const PlanPart& p = plan_.parts[static_cast<std::size_t>(part)];
        for (int l = from; l < to; ++l) {
            const auto k = static_cast<std::size_t>(l);
            const double trained = p.work.trained[k] * (shares.out.empty() ? 1.0 : shares.out[k]);
            at(part, l).update = price_update(trained, trained > 0, plan_.update, plan_.device) * p.count;
        }
    }
    void update_times(int part, std::span<const double> seconds) override {
        const int count = plan_.parts[static_cast<std::size_t>(part)].count;
        for (std::size_t l = 0; l < seconds.size(); ++l)
            at(part, static_cast<int>(l)).update = Seconds{seconds[l]} * count;
    }
    void message(int part, const MessageRecord& m) override {
        MessageEstimate row;
        row.part = part;
        row.message = m.message;
        row.algorithm = m.algorithm;
        row.forward = m.forward;
        row.ranks = m.ranks;
        row.times = m.times * plan_.parts[static_cast<std::size_t>(part)].count;
        row.bytes = m.bytes;
        row.each = m.each;
        const Seconds all = m.each * static_cast<double>(row.times);
        row.exposed = all * m.exposed;
        row.hidden = all * (1.0 - m.exposed);
        row.gradients = m.gradients || m.layer < 0;
        if (m.layer >= 0) row.layers.push_back(m.layer);
        for (int l = 0; m.layer < 0 && l < plan_.parts[static_cast<std::size_t>(part)].work.layers; ++l)
            if (gradient_bytes(part, l) > 0) row.layers.push_back(l);
        e_.messages.push_back(std::move(row));
    }
    void buckets(int part, const std::vector<Bucket>& buckets, std::int64_t ranks, Collective algorithm,
                 Seconds backward_end, const Hiding& hiding) override {
        const PlanPart& p = plan_.parts[static_cast<std::size_t>(part)];
        const MessageCost cost = message_cost(Message::all_reduce, algorithm, ranks, plan_.links);
        for (const Bucket& b : buckets) {
            MessageEstimate row;
            row.part = part;
            row.algorithm = cost.best(b.bytes).algorithm;
            row.gradients = true;
            row.ranks = ranks;
            row.times = p.count;
            row.bytes = b.bytes;
            row.each = cost.at(b.bytes);
            row.start = b.start;
            const Seconds outside =
                b.start >= backward_end ? row.each * hiding.share : std::max(Seconds{0}, b.end - backward_end);
            const Seconds exposed = hiding.exposed(row.each, outside);
            row.exposed = (exposed + Seconds{hiding.copying * b.bytes.value}) * p.count;
            row.hidden = (row.each - exposed) * p.count;
            for (int l = b.first; l <= b.last; ++l)
                if (p.work.gradient_bytes[static_cast<std::size_t>(l)] > 0) row.layers.push_back(l);
            e_.messages.push_back(std::move(row));
        }
    }
    void stages(int part, const std::vector<int>& borders) override {
        for (std::size_t s = 0; s + 1 < borders.size(); ++s)
            for (int l = borders[s]; l < borders[s + 1]; ++l) at(part, l).stage = static_cast<int>(s);
        const PlanPart& p = plan_.parts[static_cast<std::size_t>(part)];
        for (const WeightUse& use : p.network->weight_uses()) {
            LayerEstimate& row = at(part, use.layer);
            if (row.stage == at(part, use.previous).stage) continue;
            row.copies.push_back(use.owner);
            const double trained = p.work.trained[static_cast<std::size_t>(use.owner)];
            row.update += price_update(trained, trained > 0, plan_.update, plan_.device) * p.count;
        }
    }

    /// Every message's time goes to its layers, in proportion to their bytes.
    void settle() {
        for (const auto& m : e_.messages) {
            double bytes = 0;
            for (int l : m.layers) bytes += m.gradients ? gradient_bytes(m.part, l) : 1.0;
            for (int l : m.layers) {
                const double part = (m.gradients ? gradient_bytes(m.part, l) : 1.0) / bytes;
                at(m.part, l).communication += m.exposed * part;
                at(m.part, l).hidden += m.hidden * part;
            }
        }
    }

private:
    const Plan& plan_;
    Estimate& e_;
    std::vector<std::size_t> offset_;

    double gradient_bytes(int part, int l) const {
        const auto p = static_cast<std::size_t>(part), k = static_cast<std::size_t>(l);
        return plan_.paleo ? plan_.paleo->parts[p].parameters[k] * paleo::element_bytes
                           : plan_.parts[p].work.gradient_bytes[k];
    }
    LayerEstimate& at(int part, int l) {
        return e_.layers[offset_[static_cast<std::size_t>(part)] + static_cast<std::size_t>(l)];
    }
};

}  // namespace

Seconds longest_layer(const Estimate& e) {
    Seconds longest{0};
    for (const LayerEstimate& l : e.layers) longest = std::max({longest, l.total(), l.hidden});
    return longest;
}

double speedup(const Summary& one, const Summary& n) {
    // Samples per second against samples per second: the same formula for both batch rules.
    return (static_cast<double>(n.batch.effective) / n.step.value) /
           (static_cast<double>(one.batch.effective) / one.step.value);
}

Result<Estimate> estimate(const Scenario& scenario, const Plan& plan, Scratch& scratch) {
    Estimate e;
    e.point = plan.point;
    std::optional<Details> details;
    if (!plan.cpu) details.emplace(plan, e);
    e.summary = score_recorded(plan, e.point, scratch, details ? &*details : nullptr);
    if (!e.summary.feasible()) return fail(infeasible_reason(plan, e.point, e.summary.infeasible));
    if (details) details->settle();
    Point one = e.point;
    one.workers = one.partitions = 1;
    e.baseline = score(plan, one, scratch);
    if (!e.baseline.feasible()) return fail(infeasible_reason(plan, one, e.baseline.infeasible));
    e.speedup = speedup(e.baseline, e.summary);
    e.efficiency = e.speedup / static_cast<double>(e.point.workers);
    e.throughput = e.summary.throughput();
    const double steps =
        std::ceil(static_cast<double>(scenario.training.data_set) / static_cast<double>(e.summary.batch.effective));
    e.epoch = e.summary.step * steps;
    if (const auto price = worker_price(scenario)) {
        const std::int64_t paid =
            e.point.workers + own_servers(scenario, e.point.updates, e.point.workers, e.point.servers);
        e.epoch_cost = *price * static_cast<double>(paid) * e.epoch.value / 3600.0;
    }
    const Batch& batch = e.summary.batch;
    // What the busiest worker computes, against what all of them do on average.
    const double busy = (e.summary.step - e.summary.idle).value / e.summary.step.value;
    if (plan.cpu) {
        e.idle_share = 1.0 - busy * static_cast<double>(batch.active) / static_cast<double>(e.point.workers);
        if (auto added = add_cpu_details(plan, scratch, e); !added) return tl::unexpected(added.error());
        add_cpu_notes(scenario, plan, e);
        return e;
    }
    const double even = e.point.strategy == Strategy::data
                            ? static_cast<double>(batch.effective) /
                                  (static_cast<double>(batch.per_worker) * static_cast<double>(e.point.workers))
                            : 1.0;
    e.idle_share = 1.0 - busy * std::min(1.0, even);
    if (e.summary.service.value > 0) {
        const Asynchronous state = steady_state(plan, e.point, e.summary);
        e.servers = {state, statistical_cost(scenario.model.staleness_cost, state.staleness)};
    }
    e.memory = memory_of(plan, e, scratch);
    add_notes(scenario, plan, e, scratch);
    return e;
}

Result<Estimate> estimate(const Scenario& scenario) {
    auto plan = prepare(scenario);
    if (!plan) return tl::unexpected(plan.error());
    Scratch scratch = make_scratch(*plan);
    return estimate(scenario, *plan, scratch);
}

std::vector<std::int64_t> worker_counts(std::int64_t last, std::int64_t current, int most) {
    std::vector<std::int64_t> counts;
    for (std::int64_t n = 1; n <= std::min<std::int64_t>(16, last); ++n) counts.push_back(n);
    for (std::int64_t n = 32; n <= last; n *= 2) counts.push_back(n);
    counts.push_back(last);
    if (current >= 1 && current <= last) counts.push_back(current);
    const int rest = most - static_cast<int>(counts.size());
    if (last > 16)
        for (int i = 1; i < rest; ++i)
            counts.push_back(static_cast<std::int64_t>(
                std::llround(16.0 * std::pow(static_cast<double>(last) / 16.0, static_cast<double>(i) / rest))));
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

}  // namespace scalescope
