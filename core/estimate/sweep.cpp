// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/sweep.hpp"

namespace scalescope {
Result<Estimate> Sweep::estimate(const Scenario& scenario) {
    if (plan_) {
        copy_point(scenario, scenario_);
        if (scenario_ == scenario) {
            if (auto moved = move_plan(*plan_, scenario); !moved) return tl::unexpected(moved.error());
            return scalescope::estimate(scenario, *plan_, scratch_);
        }
        plan_.reset();
    }
    auto plan = prepare(scenario);
    if (!plan) return tl::unexpected(plan.error());
    plan_ = std::move(*plan);
    scenario_ = scenario;
    scratch_ = make_scratch(*plan_);
    ++plans_;
    return scalescope::estimate(scenario, *plan_, scratch_);
}

}  // namespace scalescope
