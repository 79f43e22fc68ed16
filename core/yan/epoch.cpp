// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/yan/epoch.hpp"

#include <algorithm>
#include <cmath>

namespace scalescope::yan {

namespace {

Resource busier(const EpochTimes& e, Resource a, Resource b) { return e.term(b) > e.term(a) ? b : a; }

}  // namespace

std::string_view name_of(Resource resource) {
    constexpr std::array<std::string_view, resource_count> names{"compute", "worker network", "server network",
                                                                 "server CPU"};
    return names[static_cast<std::size_t>(resource)];
}

EpochTimes asynchronous_epoch(const Configuration& c, Seconds sample, const ServerLoad& load) {
    const auto replicas = static_cast<double>(c.replicas), threads = static_cast<double>(c.threads),
               every = static_cast<double>(c.exchange_every);
    const double n = c.samples.value, exchanges = n / every;
    EpochTimes e;
    e.terms = {n * sample / (replicas * threads), n / (replicas * every) * load.worker_network,
               exchanges * load.server_network, exchanges * load.server_cpu};
    const auto [compute, worker, network, cpu] = e.terms;
    const auto consider = [&](Seconds time, Resource a, Resource b) {
        if (time <= e.time) return;
        e.time = time;
        e.binding = busier(e, a, b);
    };
    consider(compute, Resource::compute, Resource::compute);
    consider(worker, Resource::worker_network, Resource::worker_network);
    consider(network, Resource::server_network, Resource::server_network);
    consider(cpu, Resource::server_cpu, Resource::server_cpu);
    if (!c.exchange_beside_training)
        consider(n / (replicas * every) * (every * sample / threads + load.worker_network), Resource::compute,
                 Resource::worker_network);
    if (c.servers_beside) {
        consider(compute + cpu, Resource::compute, Resource::server_cpu);
        consider(worker + network, Resource::worker_network, Resource::server_network);
    }
    return e;
}

EpochTimes synchronous_epoch(const Configuration& c, Seconds sample, const ServerLoad& load) {
    const auto replicas = static_cast<double>(c.replicas), threads = static_cast<double>(c.threads),
               every = static_cast<double>(c.exchange_every);
    const double steps = c.samples.value / (replicas * every);
    const double stragglers = c.step_deviation * std::sqrt(2.0 * std::log(replicas));
    EpochTimes e;
    const auto add = [&](Resource r, Seconds of_a_step) { e.terms[static_cast<std::size_t>(r)] += steps * of_a_step; };
    add(Resource::compute, every * sample / threads * (1.0 + stragglers));
    for (const Bytes way : {load.up, load.down}) {
        const Seconds worker = way / load.worker_rate, server = replicas * (way / load.server_rate);
        if (c.servers_beside) {
            add(Resource::worker_network, worker);
            add(Resource::server_network, server);
        } else {
            add(worker >= server ? Resource::worker_network : Resource::server_network, std::max(worker, server));
        }
    }
    add(Resource::worker_network, load.start_up);
    add(Resource::server_cpu, replicas * load.server_cpu);
    for (std::size_t r = 0; r < resource_count; ++r) {
        e.time += e.terms[r];
        if (e.terms[r] > e.term(e.binding)) e.binding = static_cast<Resource>(r);
    }
    return e;
}

QueueTimes queue_times(const Configuration& c, Seconds sample, const ServerLoad& load) {
    return {static_cast<double>(c.exchange_every) * sample / static_cast<double>(c.threads) + load.worker_network,
            load.server_network + load.server_cpu};
}

Bytes upload(const PreparedNetwork& prepared, std::int64_t samples) {
    double sent = 0.0;
    for (const LayerWork& w : prepared.list.layers)
        sent += w.vectors > 0.0 ? std::min(w.own_weights, static_cast<double>(samples) * w.vectors) : w.own_weights;
    return prepared.machine.weight_bytes * sent;
}

ServerLoad server_load(const PreparedNetwork& prepared, const Configuration& c, Bytes up) {
    const CpuMachine& m = prepared.machine;
    const auto partitions = static_cast<double>(c.partitions), servers = static_cast<double>(c.servers);
    ServerLoad load;
    load.worker_rate = m.network * Fraction{partitions};
    load.server_rate = (c.servers_beside ? m.network : m.server_network) * Fraction{servers};
    load.up = up;
    load.down = m.weight_bytes * prepared.weights.value;
    load.start_up = 2.0 * m.latency;
    load.worker_network = (load.up + load.down) / load.worker_rate + load.start_up;
    load.server_network = (load.up + load.down) / load.server_rate;
    load.server_cpu = prepared.weights / m.server_updates / servers;
    return load;
}

}  // namespace scalescope::yan
