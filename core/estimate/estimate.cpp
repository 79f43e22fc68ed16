// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/sequences.hpp"
#include "core/estimate/details.hpp"
#include "core/estimate/memory.hpp"
#include "core/estimate/servers.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope {
namespace {

/// The rows of an Estimate from how its step was divided.
class EstimateRows {
public:
    EstimateRows(const Plan& plan, const Scratch& scratch, Estimate& e)
        : plan_(plan), division_(scratch.division), e_(e) {
        e.runs = division_.runs;
        e.states = division_.states;
        std::size_t layers = 0;
        for (const LayerRun& run : division_.runs) layers += static_cast<std::size_t>(run.to - run.from);
        e.layers.reserve(layers);
        for (const LayerRun& run : division_.runs) {
            if (run.from == 0) offset_.push_back(e.layers.size());
            for (int l = run.from; l < run.to; ++l) add_layer(run, l);
        }
        for (std::size_t p = 0; p < plan.parts.size(); ++p) add_copies(static_cast<int>(p));
        e.messages.reserve(division_.transfers.size());
        for (const Transfer& t : division_.transfers) add_message(t);
        e.schedule = division_.schedule;
    }

private:
    const Plan& plan_;
    const DividedStep& division_;
    Estimate& e_;
    std::vector<std::size_t> offset_;

    void add_layer(const LayerRun& run, int l) {
        const auto p = static_cast<std::size_t>(run.part), k = static_cast<std::size_t>(l);
        const PlanPart& part = plan_.parts[p];
        LayerEstimate& row = e_.layers.emplace_back();
        row.part = run.part;
        row.position = l;
        row.samples = run.samples;
        row.repeat = run.repeat * static_cast<double>(part.count);
        row.kept_samples = run.kept_samples;
        if (run.shared) row.shares = division_.shares.of(k);
        if (run.shared && !division_.along.empty()) row.along = division_.along[k];
        if (run.shared && !division_.repeats.empty()) row.repeats = division_.repeats[k];
        if (run.shared && !division_.context_along.empty()) row.context_along = division_.context_along[k];
        if (!division_.crossing.empty()) row.crossing = division_.crossing[k];
        if (!division_.crossing.empty()) row.gradient_crossing = division_.gradient_crossing[k];
        if (!division_.scattered.empty()) row.scattered = (division_.scattered[k] & 1) != 0;
        if (!division_.scattered.empty()) row.gradient_scattered = (division_.scattered[k] & 2) != 0;
        row.stage = run.stage;
        const auto& pass = division_.times[p].pass;
        row.forward = Seconds{row.repeat * pass[0][k]};
        row.grad_input = Seconds{row.repeat * pass[1][k]};
        row.grad_weights = Seconds{row.repeat * pass[2][k]};
        row.recompute = Seconds{row.repeat * recompute_of(part.work, division_.times[p], k)};
        if (division_.states.sharded == Sharded::weights)
            row.gathers = std::min(Seconds{division_.gathers[p][k]}, row.backward() / row.repeat);
        if (const auto& own = division_.update_seconds[p]; !own.empty()) {
            row.update = Seconds{own[k]} * part.count;
        } else {
            const double trained =
                part.work.trained[k] * row.shares.weights / division_.states.of_optimizer(row.shares.experts);
            row.update = price_update(trained, trained > 0, part.update, plan_.device) * part.count;
        }
    }
    /// Of weights of earlier stages, which a stage holds too.
    void add_copies(int part) {
        const PlanPart& p = plan_.parts[static_cast<std::size_t>(part)];
        const auto uses = p.network->weight_uses();
        for (std::size_t i = 0; i < uses.size(); ++i) {
            const WeightUse& use = uses[i];
            LayerEstimate& row = at(part, use.layer);
            if (!needs_copy(uses, i, [&](int layer) { return at(part, layer).stage; })) continue;
            row.copies.push_back(use.owner);
            const double trained = p.work.trained[static_cast<std::size_t>(use.owner)] *
                                   at(part, use.owner).shares.weights / division_.states.of_optimizer();
            row.update += price_update(trained, trained > 0, p.update, plan_.device) * p.count;
        }
    }
    /// A message's time goes to its layers, in proportion to their bytes.
    void add_message(const Transfer& t) {
        MessageEstimate row{t, {}};
        row.layers.reserve(static_cast<std::size_t>(std::max(0, t.last - t.first + 1)));
        for (int l = t.first; l <= t.last; ++l)
            if (!t.gradients || (carried(t, l) > 0 && sums(t, l))) row.layers.push_back(l);
        const auto weight = [&](int l) { return t.gradients ? carried(t, l) : 1.0; };
        double bytes = 0;
        for (int l : row.layers) bytes += weight(l);
        for (int l : row.layers) {
            const double share = weight(l) / bytes;
            at(t.part, l).communication += t.exposed * share;
            at(t.part, l).hidden += t.hidden * share;
        }
        e_.messages.push_back(std::move(row));
    }
    /// Bytes of the layer's gradients; of weights that were updated, with those that its stage holds a copy of for it.
    double carried(const Transfer& t, int l) {
        const LayerShares& own = at(t.part, l).shares;
        const bool of_replicas = t.axis == MeshAxis::data && t.gradients && !t.weights;
        double bytes =
            gradient_bytes(t.part, l) * own.weights * (t.carries == Carried::experts ? own.experts : 1 - own.experts);
        if (of_replicas && sums_in_pieces(at(t.part, l).along))
            bytes /= static_cast<double>(e_.point.degrees()->tensor);
        if (t.weights && t.carries != Carried::experts)
            for (const int owner : at(t.part, l).copies)
                bytes += gradient_bytes(t.part, owner) * at(t.part, owner).shares.weights;
        return bytes;
    }
    /// Over the tensor axis only those gradients are summed of which each rank has a summand.
    bool sums(const Transfer& t, int l) {
        if (t.axis != MeshAxis::tensor) return true;
        const LayerEstimate& row = at(t.part, l);
        return row.along &&
               t.group.ranks == (sharding_row(*row.along).sums_weights ? e_.point.degrees()->tensor : row.repeats);
    }
    double gradient_bytes(int part, int l) const {
        const auto p = static_cast<std::size_t>(part), k = static_cast<std::size_t>(l);
        return plan_.paleo ? plan_.paleo->parts[p].parameters[k] * paleo::element_bytes
                           : plan_.parts[p].work.gradient_bytes[k];
    }
    LayerEstimate& at(int part, int l) {
        return e_.layers[offset_[static_cast<std::size_t>(part)] + static_cast<std::size_t>(l)];
    }
};

/// Adds the devices of a pipeline to `e`, after its rows and memory_of.
void add_stages(const Plan& plan, const MemoryScratch& memory, Estimate& e) {
    if (e.schedule.done.empty()) return;
    e.stages.resize(static_cast<std::size_t>(e.schedule.shape.devices));
    for (const LayerEstimate& row : e.layers) {
        StageEstimate& stage = e.stages[static_cast<std::size_t>(row.stage)];
        ++stage.layers;
        stage.forward += row.forward;
        stage.backward += row.backward();
        stage.update += row.update;
    }
    for (const MessageEstimate& m : e.messages)
        if (m.within_stage())
            e.stages[static_cast<std::size_t>(e.layers[static_cast<std::size_t>(m.first)].stage)].messages += m.exposed;
    for (const LayerRun& run : e.runs)
        e.stages[static_cast<std::size_t>(run.stage)].in_flight +=
            static_cast<std::int64_t>(run.kept_samples / run.samples + 0.5);
    const double steps = static_cast<double>(micro_steps(plan, e.summary.batch).count);
    const Seconds span{steps * plan.parts.front().count * e.schedule.span};
    for (std::size_t d = 0; d < e.stages.size(); ++d) {
        StageEstimate& stage = e.stages[d];
        stage.waiting = std::max(Seconds{0}, span - stage.forward - stage.backward - stage.messages);
        stage.memory = memory_estimate(memory.devices[d]);
    }
}

bool has_fused_attention(const Plan& plan) {
    return std::any_of(plan.parts.begin(), plan.parts.end(), [](const PlanPart& part) {
        return std::ranges::any_of(part.work.products,
                                   [](const ProductLayer& p) { return p.of == ProductLayer::Of::fused; });
    });
}

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

Result<Estimate> estimate(const Scenario& scenario, const Plan& plan, Scratch& scratch, Remedies remedies) {
    Estimate e;
    e.point = plan.point;
    e.summary = score(plan, e.point, scratch, Told::all);
    if (!e.summary.feasible()) return fail(infeasible_reason(plan, e.point, e.summary.infeasible));
    if (!plan.cpu) EstimateRows(plan, scratch, e);
    const Point one = of_one_worker(e.point);
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
    const auto replicas = static_cast<double>(e.point.degrees()->data);
    const double even =
        e.point.segments ? 1.0
                         : static_cast<double>(batch.effective) / (static_cast<double>(batch.per_replica) * replicas);
    e.idle_share = 1.0 - busy * std::min(1.0, even);
    if (e.summary.service.value > 0) {
        const Asynchronous state = steady_state(plan, e.point, e.summary);
        e.servers = {state, statistical_cost(scenario.model.staleness_cost, state.staleness)};
    }
    e.memory = memory_of(plan, e, scratch);
    add_stages(plan, scratch.memory, e);
    add_notes(scenario, plan, e, scratch, remedies);
    if (!plan.paleo)
        for (Problem& note : notes_on_rates(scenario.cluster, scenario.model, scenario.training.precision))
            if (note.where != "model.attention" || has_fused_attention(plan)) e.notes.push_back(std::move(note));
    return e;
}

Result<Estimate> estimate(const Scenario& scenario, Remedies remedies) {
    ASSIGN_OR_RETURN(auto plan, prepare(scenario));
    Scratch scratch = make_scratch(plan);
    return estimate(scenario, plan, scratch, remedies);
}

std::vector<std::int64_t> worker_counts(std::int64_t last, std::int64_t current, int most) {
    std::vector<std::int64_t> counts;
    if (most > 0)
        for (std::int64_t n = 1; n <= std::min<std::int64_t>(16, last); ++n) counts.push_back(n);
    for (std::int64_t n = most > 0 ? 32 : 1; n <= last; n *= 2) counts.push_back(n);
    counts.push_back(last);
    if (current >= 1 && current <= last) counts.push_back(current);
    const int rest = most - static_cast<int>(counts.size());
    if (last > 16)
        for (int i = 1; i < rest; ++i)
            counts.push_back(static_cast<std::int64_t>(
                std::llround(16.0 * std::pow(static_cast<double>(last) / 16.0, static_cast<double>(i) / rest))));
    sort_once(counts);
    return counts;
}

Result<Estimate> Sweep::estimate(const Scenario& scenario) {
    if (plan_) {
        copy_point(scenario, scenario_);
        if (scenario_ == scenario) {
            if (auto moved = move_plan(*plan_, scenario); !moved) return tl::unexpected(moved.error());
            return scalescope::estimate(scenario, *plan_, scratch_);
        }
        plan_.reset();
    }
    ASSIGN_OR_RETURN(plan_, prepare(scenario));
    scenario_ = scenario;
    scratch_ = make_scratch(*plan_);
    ++plans_;
    return scalescope::estimate(scenario, *plan_, scratch_);
}

}  // namespace scalescope
