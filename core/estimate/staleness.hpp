// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/watch.hpp"
#include "core/estimate/estimate.hpp"

/// What more workers give and what stale weights take, with asynchronous updates
/// (docs/decisions/asynchronous-updates.md).
namespace scalescope {

struct StalenessPoint {
    std::int64_t workers = 1;
    Seconds step{0}, waiting{0};     ///< a worker's cycle, and how much of it others are at the servers before it
    SamplesPerSecond throughput{0};  ///< of all workers
    double speed = 0;                ///< that over the one of a single worker
    double staleness = 0;            ///< updates of others between a worker's pull and its own
    double efficiency = 1;           ///< statistical: 1/(1 + κ·staleness)
    double progress = 0;             ///< speed times efficiency
    double knee = 0;                 ///< workers from which on the servers are the limit
};

struct StalenessLesson {
    Fraction cost{0};                    ///< κ: an assumption, measured by nobody
    std::vector<StalenessPoint> points;  ///< by rising workers; counts that are infeasible are left out
    double knee = 0;                     ///< at the scenario's own workers
    std::int64_t best = 1;               ///< the fewest workers with the most progress of those looked at
};

/// At the counts given. Problems: those of estimate(); a scenario whose updates are synchronous, or that trains
/// nothing.
Result<StalenessLesson> staleness_lesson(const Scenario& scenario, const std::vector<std::int64_t>& counts,
                                         const CancelToken& cancel = {});

/// The lesson with another cost of staleness, which nothing but efficiency, progress and the best count depend on: for
/// a hand that drags it. As staleness_lesson() of the scenario with that cost, bit for bit.
StalenessLesson with_cost(StalenessLesson lesson, Fraction cost);

}  // namespace scalescope
