// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/staleness_cost.hpp"

namespace scalescope {

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
