// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/yan/compute.hpp"

#include <algorithm>
#include <cmath>

namespace scalescope::yan {

namespace {

/// Whichever is longer, and of the other what does not hide behind it.
Seconds combined(Seconds compute, Seconds exchange, double overlap) {
    return std::max(compute, exchange) + (1.0 - overlap) * std::min(compute, exchange);
}

/// M_w for one sample of one thread.
Seconds sum_time(const DeltaSum& sum, const Configuration& c) {
    const auto threads = static_cast<double>(c.threads);
    if (c.local_update == LocalUpdate::per_sample) return sum.start_up + threads * sum.transfer;
    return (sum.start_up + sum.transfer) * (threads / static_cast<double>(c.exchange_every));
}

struct Slowest {
    Seconds exchange, time;
    void take(Seconds compute, Seconds exchanging, double overlap) {
        exchange = std::max(exchange, exchanging);
        time = std::max(time, combined(compute, exchanging, overlap));
    }
};

/// The machine that takes longest for a pass whose traffic is in the scratch.
Slowest slowest_of(const PreparedNetwork& prepared, const Configuration& c, std::int64_t partitions, Seconds compute,
                   const Scratchpad& scratch) {
    Slowest slowest;
    for (std::size_t m = 0; m < static_cast<std::size_t>(partitions); ++m)
        slowest.take(scratch.own[m] >= 0 ? compute : Seconds{},
                     time_of(scratch.traffic[m], prepared.machine, c.threads), c.overlap);
    return slowest;
}

}  // namespace

PreparedNetwork prepare(const Network& network, const CpuMachine& machine, const MethodOptions& options) {
    PreparedNetwork prepared{layers_of(network, options), machine, options, {}};
    for (const LayerWork& w : prepared.list.layers) prepared.weights += Weights{w.own_weights};
    return prepared;
}

double largest_share(const LayerWork& layer, std::int64_t split, const MethodOptions& options) {
    if (options.worked_example) return 1.0 / static_cast<double>(split);
    const std::int64_t largest = layer.extent / split + (layer.extent % split != 0 ? 1 : 0);
    return static_cast<double>(largest) / static_cast<double>(layer.extent);
}

std::int64_t most_segments(const LayerWork& layer, std::int64_t partitions, const MethodOptions& options) {
    return options.worked_example ? partitions : std::min(partitions, layer.extent);
}

SegmentTimes segment_times(const PreparedNetwork& prepared, const Configuration& c, std::size_t layer,
                           std::int64_t split) {
    const LayerWork& w = prepared.list.layers[layer];
    const CpuMachine& m = prepared.machine;
    const double share = largest_share(w, split, prepared.options), kept = w.replicates ? 1.0 : share;
    SegmentTimes t;
    t.working_set = w.weights > 0.0 ? m.weight_bytes * (w.weights * kept)
                    : w.is_product  ? m.activation_bytes * (w.inputs * share)
                                    : Bytes{};
    t.tier = tier_of(m, t.working_set);
    // A segment of fewer rows uses a kernel that it loaded for fewer places.
    const double reuse = w.replicates ? std::max(1.0, w.reuse * share) : w.reuse;
    const Seconds add = multiply_add(m, c.threads, t.working_set, reuse);
    const double inputs_share = prepared.options.worked_example || w.errors_by_output ? share
                                : w.inputs > 0.0 ? std::ceil(w.inputs / static_cast<double>(split)) / w.inputs
                                                 : share;
    const double updates = w.updated * kept;
    t.forward =
        w.forward_adds * share * add + w.activations * share * m.activation + w.exponentials * share * m.exponential;
    t.backward = w.backward_adds * share * add + w.errors * inputs_share * m.error;
    t.update = w.delta_adds * share * add +
               updates * m.update /
                   (c.local_update == LocalUpdate::per_exchange ? static_cast<double>(c.exchange_every) : 1.0);
    return t;
}

LayerTimes layer_times(const PreparedNetwork& prepared, const Configuration& c, std::size_t layer, const Layout& layout,
                       Scratchpad& scratch) {
    const LayerWork& w = prepared.list.layers[layer];
    const int l = static_cast<int>(layer);
    LayerTimes t;
    t.split = layout.splits[layer];
    t.compute = segment_times(prepared, c, layer, t.split);
    Slowest forward, backward;
    if (prepared.options.worked_example) {
        const auto& list = prepared.list;
        forward.take(t.compute.forward,
                     time_of(printed_traffic(list, l, layout.splits, false), prepared.machine, c.threads), c.overlap);
        if (w.backward)
            backward.take(t.compute.backward,
                          time_of(printed_traffic(list, l, layout.splits, true), prepared.machine, c.threads),
                          c.overlap);
    } else if (is_even(prepared.list, l, layout)) {
        const auto side = [&](bool gradients) {
            return time_of(even_traffic(prepared.list, l, t.split, gradients), prepared.machine, c.threads);
        };
        forward.take(t.compute.forward, side(false), c.overlap);
        if (w.backward) backward.take(t.compute.backward, side(true), c.overlap);
    } else {
        std::fill_n(scratch.traffic.begin(), layout.partitions, MachineTraffic{});
        add_traffic(prepared.list, l, layout, true, scratch);
        if (w.backward) backward = slowest_of(prepared, c, layout.partitions, t.compute.backward, scratch);
        add_traffic(prepared.list, l, layout, false, scratch);
        forward = slowest_of(prepared, c, layout.partitions, t.compute.forward, scratch);
    }
    t.exchange = {forward.exchange, backward.exchange, sum_time(delta_sum(w, t.split, prepared.machine), c)};
    t.time = {forward.time, backward.time, combined(t.compute.update, t.exchange.update, c.overlap)};
    return t;
}

SegmentMemory segment_memory(const PreparedNetwork& prepared, const LayerWork& w, std::int64_t split,
                             std::int64_t threads) {
    const CpuMachine& m = prepared.machine;
    const double share = largest_share(w, split, prepared.options);
    const Bytes weights = m.weight_bytes * (w.own_weights * (w.replicates ? 1.0 : share));
    return {weights, prepared.options.worked_example ? Bytes{} : weights,
            m.activation_bytes * (2.0 * static_cast<double>(threads) * w.outputs * share)};
}

CacheTier tier_of(const CpuMachine& machine, Bytes working_set) {
    if (working_set <= machine.l2) return CacheTier::l2;
    return working_set <= machine.l3 ? CacheTier::l3 : CacheTier::memory;
}

Seconds multiply_add(const CpuMachine& machine, std::int64_t threads, Bytes working_set, double reuse) {
    const CacheTier tier = tier_of(machine, working_set);
    const Seconds alone = tier == CacheTier::l2   ? machine.multiply_add_l2
                          : tier == CacheTier::l3 ? machine.multiply_add_l3
                                                  : machine.multiply_add_memory;
    const double beside = static_cast<double>(threads - 1);
    const double beyond = static_cast<double>(std::max<std::int64_t>(0, threads - machine.cores));
    const Seconds own = alone * (1.0 + machine.contention * beside + machine.contention_beyond_cores * beyond);
    if (tier != CacheTier::memory) return own;
    const Seconds wall =
        machine.weight_bytes * static_cast<double>(threads) / (machine.memory_bandwidth * Fraction{reuse});
    return std::max(own, wall);
}

}  // namespace scalescope::yan
