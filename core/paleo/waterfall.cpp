// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/paleo/waterfall.hpp"

namespace scalescope::paleo {

std::vector<WaterfallStep> waterfall(const Net& net, Era era, const Setup& setup, const Situation& situation) {
    Method method{era, {}};
    std::vector<WaterfallStep> steps;
    steps.push_back({nullptr, iteration_time(make_plan(net, method), setup, situation), Seconds{}});
    for (const auto& correction : corrections()) {
        method.corrections.*correction.flag = true;
        const Seconds time = iteration_time(make_plan(net, method), setup, situation);
        steps.push_back({&correction, time, time - steps.back().iteration});
    }
    return steps;
}

}  // namespace scalescope::paleo
