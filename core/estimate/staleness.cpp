// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/staleness.hpp"

#include "core/estimate/servers.hpp"

namespace scalescope {

Result<StalenessLesson> staleness_lesson(const Scenario& scenario, const std::vector<std::int64_t>& counts,
                                         const CancelToken& cancel) {
    ASSIGN_OR_RETURN(const auto plan, prepare(scenario));
    Scratch scratch = make_scratch(plan);
    ASSIGN_OR_RETURN(const auto own, estimate(scenario, plan, scratch));
    if (!own.servers) {
        const bool trains = updates_alone(own.point);
        return fail(make_error(
            trains ? "Nothing is trained, so that nothing gets stale." : "Synchronous updates never are stale.",
            trains ? "train some layer" : "choose asynchronous updates", {},
            trains ? "training.frozen" : "parallelism.updates"));
    }
    StalenessLesson lesson;
    lesson.cost = scenario.model.staleness_cost;
    lesson.knee = own.servers->state.knee;
    double most = 0;
    for (const std::int64_t n : counts) {
        if (cancel.cancelled()) break;
        Point point = plan.point;
        point.workers = n;
        const Summary s = score(plan, point, scratch);
        if (!s.feasible()) continue;
        const Asynchronous state = steady_state(plan, point, s);
        StalenessPoint p;
        p.workers = n;
        p.step = s.step;
        p.waiting = state.waiting;
        p.throughput = s.throughput();
        p.speed = speedup(own.baseline, s);
        p.staleness = state.staleness;
        p.efficiency = 1.0 / statistical_cost(lesson.cost, p.staleness);
        p.progress = p.speed * p.efficiency;
        p.knee = state.knee;
        if (p.progress > most) most = p.progress, lesson.best = n;
        lesson.points.push_back(p);
    }
    return lesson;
}

StalenessLesson with_cost(StalenessLesson lesson, Fraction cost) {
    lesson.cost = cost;
    lesson.best = 1;
    double most = 0;
    for (StalenessPoint& p : lesson.points) {
        p.efficiency = 1.0 / statistical_cost(cost, p.staleness);
        p.progress = p.speed * p.efficiency;
        if (p.progress > most) most = p.progress, lesson.best = p.workers;
    }
    return lesson;
}

}  // namespace scalescope
