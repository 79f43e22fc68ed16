// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/yan/model.hpp"

#include <algorithm>
#include <cmath>

namespace scalescope::yan {

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
