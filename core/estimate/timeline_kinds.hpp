// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/timeline.hpp"

/// The two kinds of timeline that make_timeline() chooses from.
namespace scalescope {

/// Of workers that all do the same: layer by layer, on a clock that starts at zero.
Timeline timeline_of_workers(const Plan& plan, const Estimate& estimate);
/// Of a pipeline of stages: stepped through once, and drawn for each micro-step.
Timeline timeline_of_stages(const Plan& plan, const Estimate& estimate);

inline std::int64_t steps_added_up(const Plan& plan, const Estimate& e) {
    return micro_steps(plan, e.summary.batch).count;
}

}  // namespace scalescope
