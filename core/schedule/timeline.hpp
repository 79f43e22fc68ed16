// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/units/units.hpp"

namespace scalescope {

enum class Activity { forward, backward, update, communication, idle };

/// One piece of the step on one row of the timeline (a stream of the shown worker, or a stage).
struct Interval {
    Activity activity;
    int row = 0;
    int layer = -1;  ///< position; -1: no single layer
    Seconds start, length;
};

struct Timeline {
    std::vector<std::string> rows;
    std::vector<Interval> intervals;
    Seconds end{0};
};

}  // namespace scalescope
