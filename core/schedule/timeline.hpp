// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/units/units.hpp"

namespace scalescope {

/// `hidden` is communication that work covers; `communication` is waited for.
enum class Activity { forward, backward, update, communication, hidden, idle };

/// One piece of the step on one row of the timeline (a stream of the shown worker, a stage, a link).
struct Interval {
    Activity activity;
    int row = 0;
    int layer = -1;  ///< position; -1: no single layer
    Seconds start, length;
    int part = 0;                   ///< index of its network in the workload
    std::int64_t micro_batch = -1;  ///< in a pipeline of stages, from 0; -1: none
};

struct Timeline {
    std::vector<std::string> rows;
    std::vector<Interval> intervals;
    Seconds end{0};
};

}  // namespace scalescope
