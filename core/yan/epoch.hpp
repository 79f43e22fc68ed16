// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/yan/compute.hpp"

/// Exchanges with the parameter servers, and the time of an epoch of N samples: sections 4 and 5 of
/// docs/decisions/cpu-clusters.md.
namespace scalescope::yan {

/// What one exchange of one replica asks of the parameter servers: section 4.
struct ServerLoad {
    Bytes up;    ///< V_up: deltas, or the vectors whose product they are, whichever is less
    Bytes down;  ///< V_down: weights
    BytesPerSecond worker_rate, server_rate;  ///< of all machines of a replica, of all servers
    Seconds worker_network;                   ///< t_wk: of each machine of the replica
    Seconds start_up;                         ///< of t_wk, the start-up times of both ways
    Seconds server_network;                   ///< t_sn: of each server
    Seconds server_cpu;                       ///< t_sc: of each server
};

/// V_up when `samples` of a replica go into an exchange.
Bytes upload(const PreparedNetwork& prepared, std::int64_t samples);

/// `up`: what upload() says for the configuration's K.
ServerLoad server_load(const PreparedNetwork& prepared, const Configuration& configuration, Bytes up);

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
