// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/units/units.hpp"

/// Workers that exchange gradients for weights with parameter servers, each when it is ready: nobody waits for the
/// slowest worker, but everybody for the servers (docs/decisions/asynchronous-updates.md).
namespace scalescope {

/// The ways between a worker and the servers, one way each, as reached.
struct ServerLinks {
    BytesPerSecond worker;   ///< a worker's share of its node's network cards
    BytesPerSecond in, out;  ///< of one server
    Seconds latency;         ///< start-up time of a message
};

/// What a worker sends and fetches, and how much of that is the busiest server's.
struct ExchangeLoad {
    Bytes gradients, weights;              ///< of all servers together
    Bytes shard_gradients, shard_weights;  ///< of the largest shard
    Seconds update;                        ///< of the largest shard, on its server
};

/// One exchange of a worker that meets no other.
struct Exchange {
    Seconds push, pull;  ///< each with its start-up time; the bytes pass the worker's card and the servers' at once
    Seconds network;     ///< of both, how long the busiest server's card is busy
    Seconds update;
    Seconds service() const { return network + update; }  ///< σ: what the busiest server does for it
    Seconds outside() const { return push + pull - network; }
    Seconds alone() const { return push + update + pull; }
};
Exchange price_exchange(const ExchangeLoad& load, const ServerLinks& links);

/// What a worker waits for others at the servers: σ for each that it finds there, as the closed network of `workers`
/// of them has it (core/schedule/closed_network).
Seconds waiting_for_others(std::int64_t workers, Seconds think, Seconds service);

/// The steady state of `workers` workers.
struct Asynchronous {
    Seconds think;         ///< Z: a worker's cycle without the servers
    Seconds service;       ///< σ
    Seconds waiting;       ///< for the others, on average
    double updates = 0;    ///< a second, of all workers
    double knee = 0;       ///< n* = (Z + σ)/σ: from so many workers on the servers are the limit
    double staleness = 0;  ///< updates of others between a worker's pull and its own update
    double slowest = 1;    ///< H_k: what the slowest of k servers may take longer
    Seconds response() const { return waiting + service; }
    Seconds cycle() const { return think + response(); }
    /// Where service times spread as exponential ones do, and each server has its own queue.
    Seconds slowest_response() const { return response() * slowest; }
};
/// `service` must be above 0.
Asynchronous asynchronous(std::int64_t workers, Seconds think, Seconds service, std::int64_t servers);

/// 1 + 1/2 + … + 1/k: the mean of the largest of k exponential times over one of them.
double harmonic(std::int64_t k);

/// By how much training gets longer if each update of staleness costs `cost` of it: an assumption of the user's.
inline double statistical_cost(Fraction cost, double staleness) { return 1.0 + cost.value * staleness; }

}  // namespace scalescope
