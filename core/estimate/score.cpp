// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/estimate/details.hpp"
#include "core/estimate/recompute.hpp"
#include "core/estimate/servers.hpp"
#include "core/estimate/sharded_axis.hpp"
#include "core/estimate/step.hpp"

namespace scalescope {
namespace {

/// What prices a whole step. PALEO divides layers and outputs only where its own network file says so, which a
/// Scalescope network does not: nullptr.
StepFunction step_function(const Plan& plan, const Point& point) {
    if (updates_alone(point)) return asynchronous_step;
    if (plan.paleo) return fills_data(point) ? paleo_data_step : nullptr;
    return point.segments ? hybrid_step : mesh_step;
}

/// Overhead of the step, and what the input pipeline does not deliver in time.
void wait_for_hosts(const Plan& plan, Summary& s) {
    s.idle += plan.overhead;
    s.step += plan.overhead;
    if (!(plan.training.input_limit.value > 0)) return;
    // It delivers only so many samples a second: the workers wait for it.
    const Seconds input{static_cast<double>(s.batch.effective) / plan.training.input_limit.value};
    s.idle += std::max(Seconds{0}, input - s.step);
    s.step = std::max(s.step, input);
}

Summary cpu_summary(const Plan& plan, const Point& point, Scratch& scratch) {
    Summary s;
    score_cpu(plan, point, scratch.cpu, s);
    if (s.feasible() && !(s.step.value > 0)) s.infeasible = Infeasible::takes_no_time;
    if (s.feasible() && !std::isfinite(s.step.value)) s.infeasible = Infeasible::too_large_to_count;
    if (s.feasible()) wait_for_hosts(plan, s);
    return s;
}

/// What the plan does not price, whatever the step would take.
Infeasible why_not(const Plan& plan, const Point& point, const Degrees& degrees) {
    const bool hybrid = point.segments,
               divided = degrees.tensor * degrees.pipeline * degrees.context * point.expert_ranks() > 1;
    if (plan.parts.size() != 1 && (divided || !fills_data(point))) return Infeasible::no_single_network;
    const bool columns = policy_of(point) == ShardingPolicy::columns;
    const bool others = point.given_degrees() * point.expert_ranks() > 1;
    if ((hybrid && (others || point.fill != MeshAxis::data)) || (plan.paleo && others)) return Infeasible::no_mesh;
    if (degrees.context * point.expert_ranks() > 1 && columns) return Infeasible::no_mesh;
    if (hybrid && point.sharded != Sharded::nothing) return Infeasible::no_sharding;
    if (!plan.paleo && !groups_fit(point, degrees)) return Infeasible::uneven_groups;
    if (hybrid && !plan.parts.front().blocks.empty()) return Infeasible::no_recompute;
    if (updates_alone(point) && why_not_asynchronous(plan, point) != NotAsynchronous::no)
        return Infeasible::not_asynchronous;
    return Infeasible::no;
}

Summary no_summary(Infeasible why, const Batch& batch) {
    Summary s;
    s.infeasible = why;
    s.batch = batch;
    return s;
}

}  // namespace

double wait_for_slowest(double spread, std::int64_t workers, double seconds) {
    return workers > 1 ? spread * std::sqrt(2.0 * std::log(static_cast<double>(workers))) * seconds : 0.0;
}

namespace {

/// The summary of the parts of all networks.
Summary summary_of(const Plan& plan, const Point& point, const StepParts& all, const Batch& batch) {
    Summary s{.infeasible = Infeasible::no,
              .forward = Seconds{all.forward},
              .backward = Seconds{all.backward},
              .update = Seconds{all.update},
              .communication = Seconds{all.communication},
              .idle = Seconds{0},
              .step = Seconds{0},
              .hidden = Seconds{all.hidden},
              .service = Seconds{all.service},
              .batch = batch,
              .cut = all.cut};
    // Workers on their own wait for those that are at the servers before them, but not for the slowest.
    double idle = all.idle;
    if (all.service > 0)
        idle += waiting_for_others(batch.active, think_time(plan, s), s.service).value;
    else if (plan.spread > 0 && !updates_alone(point))
        idle += wait_for_slowest(plan.spread, batch.active, all.forward + all.backward);
    const double step = all.forward + all.backward + all.update + all.communication + idle;
    if (!(step > 0)) {
        // PALEO has kinds of layers that cost nothing: a network of those alone has no throughput.
        s.infeasible = Infeasible::takes_no_time;
        return s;
    }
    s.idle = Seconds{idle};
    s.step = Seconds{step};
    wait_for_hosts(plan, s);
    return s;
}

Summary score_step(const Plan& plan, const Point& point, Scratch& scratch) {
    const auto degrees = mesh_of(point);
    if (!degrees) return no_summary(Infeasible::not_divisible, {});
    const bool hybrid = point.segments;
    if (degrees->pipeline == 1 && scratch.pieces) scratch.pieces->forget_layers();
    const Batch batch = batch_for(point.batch, plan.training.batch_rule, point.workers, degrees->data);
    Batch divided = batch;
    if (hybrid) divided.active = point.workers;
    if (const Infeasible why = why_not(plan, point, *degrees); why != Infeasible::no) return no_summary(why, divided);
    const StepFunction step_of = step_function(plan, point);
    if (step_of == nullptr) return no_summary(Infeasible::no_such_strategy, divided);
    StepParts all;
    for (std::size_t i = 0; i < plan.parts.size(); ++i) {
        const StepParts p = step_of(plan, static_cast<int>(i), point, batch, scratch);
        if (p.infeasible != Infeasible::no) return no_summary(p.infeasible, divided);
        if (scratch.division.in_full) {
            scratch.division.times.push_back(scratch.times);
            scratch.division.gathers.push_back(scratch.taken);
            scratch.division.update_seconds.resize(i + 1);
        }
        const double count = plan.parts[i].count;
        all.forward += count * p.forward;
        all.backward += count * p.backward;
        all.update += count * p.update;
        all.communication += count * p.communication;
        all.idle += count * p.idle;
        all.hidden += count * p.hidden;
        all.service += count * p.service;
        all.cut = p.cut;
        if (hybrid && p.cut == plan.parts[i].work.layers)
            divided.active = batch.active;  // data parallel under another name
    }
    return summary_of(plan, point, all, divided);
}

}  // namespace

Summary score(const Plan& plan, const Point& point, Scratch& scratch, Told told) {
    scratch.division.clear(told);
    return plan.cpu ? cpu_summary(plan, point, scratch) : score_step(plan_of(plan, point, scratch), point, scratch);
}

Summary score(const Plan& plan, const Point& point, Scratch& scratch) {
    return score(plan, point, scratch, Told::times);
}

Summary score_at_least(const Plan& plan, const Point& point, Scratch& scratch) {
    Summary s = score(plan, point, scratch, Told::least);
    s.step = s.step * (1 - 1e-9);  // less than rounding may take
    return s;
}

Summary score_of_work(const Plan& plan, const Point& point, Scratch& scratch) {
    Summary s = score(plan, point, scratch, Told::work);
    s.step = s.step * (1 - 1e-9);
    return s;
}

}  // namespace scalescope
