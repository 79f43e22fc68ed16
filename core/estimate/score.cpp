// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>

#include "core/estimate/details.hpp"
#include "core/estimate/servers.hpp"
#include "core/estimate/step.hpp"

namespace scalescope {
namespace {

/// The table of methods for a whole step, by Method, each with its ways to divide the work, by Strategy. PALEO divides
/// layers and outputs only where its own network file says so, which a Scalescope network does not.
using Strategies = std::array<StrategyFunction, 4>;
constexpr Strategies pipeline_strategies{mesh_step, mesh_step, mesh_step, hybrid_step},
    paleo_strategies{paleo_data_step, nullptr, nullptr, nullptr};
constexpr std::array<Strategies, 4> methods{pipeline_strategies, paleo_strategies, paleo_strategies, Strategies{}};

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

}  // namespace

double wait_for_slowest(double spread, std::int64_t workers, double seconds) {
    return workers > 1 ? spread * std::sqrt(2.0 * std::log(static_cast<double>(workers))) * seconds : 0.0;
}

namespace {

Summary score_step(const Plan& plan, const Point& point, Scratch& scratch) {
    if (plan.cpu) return cpu_summary(plan, point, scratch);
    Summary s;
    const auto degrees = mesh_of(point);
    if (!degrees) {
        s.infeasible = Infeasible::not_divisible;
        return s;
    }
    const bool hybrid = point.strategy == Strategy::hybrid, divided = degrees->tensor * degrees->pipeline > 1;
    const Batch batch = batch_for(point.batch, plan.training.batch_rule, point.workers, degrees->data);
    s.batch = batch;
    if (hybrid) s.batch.active = point.workers;
    if (plan.parts.size() != 1 && (divided || point.strategy != Strategy::data)) {
        s.infeasible = Infeasible::no_single_network;
        return s;
    }
    if (point.given_degrees() > 1 && (hybrid || plan.paleo)) {
        s.infeasible = Infeasible::no_mesh;
        return s;
    }
    if (hybrid && plan.parallelism.sharded != Sharded::nothing) {
        s.infeasible = Infeasible::no_sharding;
        return s;
    }
    if (hybrid && !plan.parts.front().blocks.empty()) {
        s.infeasible = Infeasible::no_recompute;
        return s;
    }
    const bool alone = updates_alone(point);
    if (alone && why_not_asynchronous(plan, point) != NotAsynchronous::no) {
        s.infeasible = Infeasible::not_asynchronous;
        return s;
    }
    const StrategyFunction step_of =
        alone ? asynchronous_step
              : methods[static_cast<std::size_t>(plan.method)][static_cast<std::size_t>(point.strategy)];
    if (step_of == nullptr) {
        s.infeasible = Infeasible::no_such_strategy;
        return s;
    }
    double forward = 0, backward = 0, update = 0, communication = 0, idle = 0, hidden = 0, service = 0;
    for (std::size_t i = 0; i < plan.parts.size(); ++i) {
        const StepParts p = step_of(plan, static_cast<int>(i), point, batch, scratch);
        if (p.infeasible != Infeasible::no) {
            s.infeasible = p.infeasible;
            return s;
        }
        if (scratch.division.in_full) {
            scratch.division.times.push_back(scratch.times);
            scratch.division.update_seconds.resize(i + 1);
        }
        const double count = plan.parts[i].count;
        forward += count * p.forward;
        backward += count * p.backward;
        update += count * p.update;
        communication += count * p.communication;
        idle += count * p.idle;
        hidden += count * p.hidden;
        service += count * p.service;
        s.cut = p.cut;
        if (hybrid && p.cut == plan.parts[i].work.layers)
            s.batch.active = batch.active;  // data parallel under another name
    }
    s.forward = Seconds{forward};
    s.backward = Seconds{backward};
    s.update = Seconds{update};
    s.communication = Seconds{communication};
    s.hidden = Seconds{hidden};
    s.service = Seconds{service};
    // Workers on their own wait for those that are at the servers before them, but not for the slowest.
    if (service > 0)
        idle += waiting_for_others(s.batch.active, think_time(plan, s), s.service).value;
    else if (plan.spread > 0 && !alone)
        idle += wait_for_slowest(plan.spread, s.batch.active, forward + backward);
    double step = forward + backward + update + communication + idle;
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

}  // namespace

Summary score(const Plan& plan, const Point& point, Scratch& scratch) {
    scratch.division.clear(false);
    return score_step(plan, point, scratch);
}

Summary score_in_full(const Plan& plan, const Point& point, Scratch& scratch) {
    scratch.division.clear(true);
    return score_step(plan, point, scratch);
}

}  // namespace scalescope
