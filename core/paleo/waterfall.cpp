// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/paleo/waterfall.hpp"

namespace scalescope::paleo {

std::vector<WaterfallStep> waterfall(const Net& net, Era era, const Setup& setup, const Situation& situation,
                                     const Corrections& wanted) {
    Plan plan = make_plan(net, {era, {}});
    std::vector<WaterfallStep> steps;
    steps.push_back({nullptr, iteration_time(plan, setup, situation), Seconds{}});
    for (const auto& correction : corrections()) {
        if (!(wanted.*correction.flag)) continue;
        Method method = plan.method;
        method.corrections.*correction.flag = true;
        if (correction.changes_work)
            plan = make_plan(net, method);
        else
            plan.method = method;
        const Seconds time = iteration_time(plan, setup, situation);
        steps.push_back({&correction, time, time - steps.back().iteration});
    }
    return steps;
}

}  // namespace scalescope::paleo
