// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/yan/model.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/sequences.hpp"

namespace scalescope::yan {

namespace {

Resource busier(const EpochTimes& e, Resource a, Resource b) { return e.term(b) > e.term(a) ? b : a; }

}  // namespace

std::string_view name_of(Resource resource) {
    return one_of(resource, "compute", "worker network", "server network", "server CPU");
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

namespace {

void resolve_splits(const PreparedNetwork& prepared, const Configuration& c, Scratchpad& scratch) {
    const auto& layers = prepared.list.layers;
    scratch.make_room(layers.size(), c.partitions);
    for (std::size_t l = 0; l < layers.size(); ++l) {
        const auto leader = static_cast<std::size_t>(layers[l].leader);
        scratch.splits[l] = leader != l        ? scratch.splits[leader]
                            : c.splits.empty() ? most_segments(layers[l], c.partitions, prepared.options)
                                               : c.splits[l];
    }
}

bool all_finite(const Evaluation& e) {
    double sum = e.score.memory.value + e.queue.throughput + e.queue_epoch.value + e.staleness;
    for (const EpochTimes* t : {&e.asynchronous, &e.synchronous})
        for (const Seconds s : t->terms) sum += s.value;
    return std::isfinite(sum);
}

Problems notes_on(const PreparedNetwork& prepared, const Evaluation& e) {
    Problems notes;
    const auto warn = [&](std::string what, std::string remedy) {
        notes.push_back(make_warning(std::move(what), std::move(remedy)));
    };
    if (e.configuration.threads > prepared.machine.cores && prepared.machine.contention_beyond_cores == 0.0)
        warn("Nothing is known of threads beyond the cores of " + prepared.machine.name + ".",
             "use at most " + std::to_string(prepared.machine.cores) + " threads, or measure the machine");
    return notes;
}

}  // namespace

Bytes server_share(const PreparedNetwork& prepared, const Configuration& c) {
    return prepared.machine.weight_bytes * (prepared.weights.value / static_cast<double>(c.servers));
}

PlacementTable placed(const PreparedNetwork& prepared, const Configuration& c, Scratchpad& scratch) {
    resolve_splits(prepared, c, scratch);
    std::vector<double> memory;
    for (std::size_t l = 0; l < prepared.list.layers.size(); ++l)
        memory.push_back(segment_memory(prepared, prepared.list.layers[l], scratch.splits[l], c.threads).total().value);
    return place_by_connections(prepared.list, scratch.splits, c.partitions,
                                prepared.machine.memory - prepared.options.buffers, memory);
}

PassTimes sample_times(const PreparedNetwork& prepared, const Configuration& c, Scratchpad& scratch,
                       const PlacementTable* placement, Exchanges* exchanges) {
    resolve_splits(prepared, c, scratch);
    const Layout layout{scratch.splits, c.partitions, placement};
    PassTimes sum;
    for (std::size_t l = 0; l < prepared.list.layers.size(); ++l) {
        const LayerTimes t = layer_times(prepared, c, l, layout, scratch);
        sum += t.time;
        if (exchanges == nullptr) continue;
        exchanges->compute += t.compute;
        exchanges->exposed += t.exposed();
        exchanges->hidden += t.hidden();
    }
    return sum;
}

Bytes machine_memory(const PreparedNetwork& prepared, const Configuration& c, Scratchpad& scratch,
                     const PlacementTable* placement) {
    const auto& layers = prepared.list.layers;
    Bytes fullest;
    if (!placement) {  // aligned: the first machine has a segment of every layer
        for (std::size_t l = 0; l < layers.size(); ++l)
            fullest += segment_memory(prepared, layers[l], scratch.splits[l], c.threads).total();
    } else {
        std::fill_n(scratch.traffic.begin(), c.partitions, MachineTraffic{});
        for (std::size_t l = 0; l < layers.size(); ++l)
            for (const std::int32_t m : placement->of(l))
                scratch.traffic[static_cast<std::size_t>(m)].received +=
                    segment_memory(prepared, layers[l], scratch.splits[l], c.threads).total().value;
        for (std::int64_t m = 0; m < c.partitions; ++m)
            fullest = std::max(fullest, Bytes{scratch.traffic[static_cast<std::size_t>(m)].received});
    }
    return fullest + prepared.options.buffers;
}

MemoryNeed memory_need(const PreparedNetwork& prepared, const Configuration& c, Bytes machine) {
    const Bytes server = server_share(prepared, c);
    return {c.servers_beside ? machine + server : machine, server};
}

Score score_of(const PreparedNetwork& prepared, const Configuration& c, const PassTimes& sample, Bytes machine,
               Bytes up) {
    const MemoryNeed need = memory_need(prepared, c, machine);
    Score s;
    s.sample = sample;
    s.memory = need.worker;
    s.fits = need.fits(prepared.machine);
    s.load = server_load(prepared, c, up);
    s.epoch =
        c.synchronous ? synchronous_epoch(c, sample.total(), s.load) : asynchronous_epoch(c, sample.total(), s.load);
    s.replica_throughput = Samples{static_cast<double>(c.threads)} / sample.total();
    return s;
}

Score score(const PreparedNetwork& prepared, const Configuration& c, Scratchpad& scratch,
            const PlacementTable* placement) {
    const PassTimes sample = sample_times(prepared, c, scratch, placement);
    return score_of(prepared, c, sample, machine_memory(prepared, c, scratch, placement),
                    upload(prepared, c.exchange_every));
}

Result<Evaluation> evaluate(const PreparedNetwork& prepared, const Configuration& c) {
    Problems problems = check(prepared.machine);
    for (Problem& p : check(prepared, c)) problems.push_back(std::move(p));
    if (!problems.empty()) return fail(std::move(problems));
    Evaluation e;
    e.configuration = c;
    Scratchpad scratch;
    if (c.placement == SegmentPlacement::by_connections) e.placement = placed(prepared, c, scratch);
    const PlacementTable* table = e.placement ? &*e.placement : nullptr;
    e.score = score(prepared, c, scratch, table);
    resolve_splits(prepared, c, scratch);
    const Layout layout{scratch.splits, c.partitions, table};
    for (std::size_t l = 0; l < prepared.list.layers.size(); ++l)
        e.layers.push_back(layer_times(prepared, c, l, layout, scratch));
    const Seconds sample = e.score.sample.total();
    e.asynchronous = asynchronous_epoch(c, sample, e.score.load);
    e.synchronous = synchronous_epoch(c, sample, e.score.load);
    const QueueTimes queue = queue_times(c, sample, e.score.load);
    e.queue = mean_value_analysis(c.replicas, queue.think, queue.service);
    e.queue_epoch = Seconds{c.samples.value / static_cast<double>(c.exchange_every) / e.queue.throughput};
    e.staleness = std::max(0.0, e.queue.throughput * (queue.think + e.queue.response).value - 1.0);
    e.server_memory = server_share(prepared, c);
    if (!all_finite(e))
        return fail(make_error("The times of this configuration are too large to count.",
                               "check the machine's figures and the number of samples"));
    e.notes = notes_on(prepared, e);
    return e;
}

}  // namespace scalescope::yan
