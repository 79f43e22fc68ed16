// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/asynchronous.hpp"

#include <algorithm>

#include "core/schedule/closed_network.hpp"

namespace scalescope {

Exchange price_exchange(const ExchangeLoad& load, const ServerLinks& links) {
    const Seconds in = load.shard_gradients / links.in, out = load.shard_weights / links.out;
    Exchange e;
    e.push = links.latency + std::max(in, load.gradients / links.worker);
    e.pull = links.latency + std::max(out, load.weights / links.worker);
    e.network = in + out;
    e.update = load.update;
    return e;
}

Seconds waiting_for_others(std::int64_t workers, Seconds think, Seconds service) {
    return workers > 1 ? service * mean_at_station(workers - 1, think, service) : Seconds{0};
}

Asynchronous asynchronous(std::int64_t workers, Seconds think, Seconds service, std::int64_t servers) {
    Asynchronous a;
    a.think = think;
    a.service = service;
    a.waiting = waiting_for_others(workers, think, service);
    a.updates = static_cast<double>(workers) / a.cycle().value;
    a.knee = (think + service) / service;
    a.staleness = static_cast<double>(workers) - 1.0;  // Little's law: X·(Z + R) − 1
    a.slowest = harmonic(servers);
    return a;
}

double harmonic(std::int64_t k) {
    double sum = 0;
    for (std::int64_t i = k; i >= 1; --i) sum += 1.0 / static_cast<double>(i);  // the smallest first
    return sum;
}

}  // namespace scalescope
