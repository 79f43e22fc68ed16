// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/yan/servers.hpp"

/// Time of an epoch of N samples: section 5 of docs/decisions/cpu-clusters.md.
namespace scalescope::yan {

struct EpochTimes {
    /// By Resource. Asynchronous: how long each is busy, and the epoch lasts as long as the busiest. Synchronous: what
    /// each adds; they sum to the epoch.
    std::array<Seconds, resource_count> terms;
    Resource binding = Resource::compute;
    Seconds time;

    Seconds term(Resource r) const { return terms[static_cast<std::size_t>(r)]; }
};

/// The bottleneck law; `sample` is T_sample. Servers on the workers' machines share cores and network cards with them.
EpochTimes asynchronous_epoch(const Configuration& configuration, Seconds sample, const ServerLoad& load);

/// Every step ends when the last replica has the new weights; stragglers make its compute longer by σ·√(2·ln R).
EpochTimes synchronous_epoch(const Configuration& configuration, Seconds sample, const ServerLoad& load);

/// Think time and service time of the closed network of replicas and servers.
struct QueueTimes {
    Seconds think, service;
};
QueueTimes queue_times(const Configuration& configuration, Seconds sample, const ServerLoad& load);

}  // namespace scalescope::yan
