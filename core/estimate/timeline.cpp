// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/timeline.hpp"

#include "core/estimate/timeline_kinds.hpp"

namespace scalescope {

Timeline make_timeline(const Plan& plan, const Estimate& estimate) {
    const bool staged = !estimate.runs.empty() && estimate.runs.back().stage > 0;
    return staged ? timeline_of_stages(plan, estimate) : timeline_of_workers(plan, estimate);
}

}  // namespace scalescope
