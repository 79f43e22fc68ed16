// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario.hpp"

#include <algorithm>

#include "core/base/checked.hpp"

namespace scalescope {

Batch batch_for(const Training& training, std::int64_t workers) {
    if (training.batch_rule == BatchRule::per_worker) return {training.batch, training.batch * workers, workers};
    // The busiest worker has the rounded-up share; with more workers than samples some stay without work.
    return {ceil_div(training.batch, workers), training.batch, std::min(workers, training.batch)};
}

}  // namespace scalescope
