// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/base/problem.hpp"
#include "core/schedule/closed_network.hpp"
#include "core/yan/epoch.hpp"

/// The whole method: prepare() a network for a machine once, then score() one configuration after the other without
/// allocating, or evaluate() one with all its figures.
namespace scalescope::yan {

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
