// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>

#include "core/base/problem.hpp"
#include "core/schedule/closed_network.hpp"
#include "core/yan/compute.hpp"

/// The whole method: prepare() a network for a machine once, then score() one configuration after the other without
/// allocating, or evaluate() one with all its figures.
namespace scalescope::yan {

// Exchanges with the parameter servers, and the time of an epoch of N samples: sections 4 and 5 of
// docs/decisions/cpu-clusters.md.

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

/// What of a sample is compute alone, and what of its exchange compute hides: with what the exchange adds to the
/// compute, that is T.
struct Exchanges {
    PassTimes compute;
    Seconds exposed, hidden;
};

/// What the machines that hold most must hold. With servers beside the workers, `worker` includes a server's share.
struct MemoryNeed {
    Bytes worker;  ///< the fullest machine of a replica
    Bytes server;
    bool fits(const CpuMachine& machine) const { return most() <= machine.memory; }
    Bytes most() const { return worker < server ? server : worker; }
};

struct Score {
    PassTimes sample;  ///< of one sample and one thread, summed over the layers
    Bytes memory;      ///< MemoryNeed::worker
    bool fits = true;  ///< MemoryNeed::fits
    ServerLoad load;
    EpochTimes epoch;  ///< asynchronous by the bottleneck law, or synchronous, as configured
    SamplesPerSecond replica_throughput;
};

/// What is wrong with a machine's figures, or with a configuration; empty if nothing is.
Problems check(const CpuMachine& machine);
Problems check(const PreparedNetwork& prepared, const Configuration& configuration);

/// Sums over the layers; `scratch.splits` then has the split of every layer. `placement` is needed if the configuration
/// places by connections.
PassTimes sample_times(const PreparedNetwork& prepared, const Configuration& configuration, Scratchpad& scratch,
                       const PlacementTable* placement = nullptr, Exchanges* exchanges = nullptr);
/// Where the segments of a configuration that places by connections stand.
PlacementTable placed(const PreparedNetwork& prepared, const Configuration& configuration, Scratchpad& scratch);
/// Weights that a server holds.
Bytes server_share(const PreparedNetwork& prepared, const Configuration& configuration);
/// The fullest machine of a replica, for the splits in `scratch`, without what a server beside it holds.
Bytes machine_memory(const PreparedNetwork& prepared, const Configuration& configuration, Scratchpad& scratch,
                     const PlacementTable* placement = nullptr);

/// `machine` is machine_memory().
MemoryNeed memory_need(const PreparedNetwork& prepared, const Configuration& configuration, Bytes machine);

/// All of it. The configuration must pass check().
Score score(const PreparedNetwork& prepared, const Configuration& configuration, Scratchpad& scratch,
            const PlacementTable* placement = nullptr);
/// The same where times and machine_memory() are known already; `up` is upload() for its K.
Score score_of(const PreparedNetwork& prepared, const Configuration& configuration, const PassTimes& sample,
               Bytes machine, Bytes up);

/// A configuration with every figure.
struct Evaluation {
    Configuration configuration;
    Score score;
    std::vector<LayerTimes> layers;  ///< as PreparedNetwork::list
    std::optional<PlacementTable> placement;
    EpochTimes asynchronous;  ///< by the bottleneck law
    EpochTimes synchronous;
    ClosedNetwork queue;  ///< asynchronous, by mean value analysis: exchanges a second
    Seconds queue_epoch;  ///< by it
    /// Updates of others between a replica's read of the weights and its own: X·(think + response) − 1.
    double staleness = 0.0;
    Bytes server_memory;  ///< weights that a server holds
    Problems notes;       ///< warnings: threads beyond the cores; of memory: memory_notes()
};
Result<Evaluation> evaluate(const PreparedNetwork& prepared, const Configuration& configuration);

/// Warnings about a configuration that does not fit, one for the machines of a replica and one for parameter servers
/// that have machines of their own (its `where` is "servers"); none if it fits. Each names remedies that were tried:
/// other numbers of machines per replica, threads or servers, one of them at a time. More machines per replica need no
/// more machines where fewer replicas will do. `alone`: while there is a single machine, there are no servers.
/// The configuration must pass check().
Problems memory_notes(const PreparedNetwork& prepared, const Configuration& configuration, bool alone = false);

}  // namespace scalescope::yan
