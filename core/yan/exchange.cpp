// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/yan/exchange.hpp"

#include <algorithm>
#include <cmath>

#include "core/yan/overlap.hpp"

namespace scalescope::yan {

namespace {

/// Segments of what is read; input data is split as the layer that reads it.
std::int64_t split_read(const Need& need, int layer, std::span<const std::int64_t> splits) {
    return splits[static_cast<std::size_t>(need.from == Need::outside ? layer : need.from)];
}

void mark(int layer, const Layout& layout, std::vector<std::int32_t>& segment_on) {
    std::fill_n(segment_on.begin(), layout.partitions, -1);
    const std::int64_t split = layout.splits[static_cast<std::size_t>(layer)];
    for (std::int64_t s = 0; s < split; ++s)
        segment_on[static_cast<std::size_t>(layout.machine(layer, s))] = static_cast<std::int32_t>(s);
}

/// All of the tensor to every segment.
void gather(const Need& need, std::int64_t p, std::int64_t q, const Layout& layout, Scratchpad& scratch) {
    for (std::size_t m = 0; m < static_cast<std::size_t>(layout.partitions); ++m) {
        MachineTraffic& t = scratch.traffic[m];
        const double here = scratch.held[m] >= 0 ? 1.0 : 0.0, reads = scratch.own[m] >= 0 ? 1.0 : 0.0;
        const auto parts = static_cast<double>(q), readers = static_cast<double>(p);
        t.received += reads * need.elements * (1.0 - here / parts);
        t.sources += reads * (parts - here);
        t.sent += here * need.elements / parts * (readers - reads);
        t.destinations += here * (readers - reads);
    }
}

/// To every segment the part in its place and rows beside it.
void exchange_rows(const Need& need, int layer, int from, std::int64_t p, std::int64_t q, const Layout& layout,
                   Scratchpad& scratch) {
    for (std::int64_t s = 0; s < p; ++s) {
        const auto to = static_cast<std::size_t>(layout.machine(layer, s));
        for_each_overlap(need, s, p, q, [&](std::int64_t part, double share, bool again) {
            const auto at = static_cast<std::size_t>(layout.machine(from, part));
            if (at == to) return;
            scratch.traffic[to].received += share * need.elements;
            scratch.traffic[to].sources += again ? 0.0 : 1.0;
            scratch.traffic[at].sent += share * need.elements;
            scratch.traffic[at].destinations += again ? 0.0 : 1.0;
        });
    }
}

}  // namespace

bool is_even(const LayerList& list, int layer, const Layout& layout) {
    if (layout.table) return false;
    const std::int64_t p = layout.splits[static_cast<std::size_t>(layer)];
    for (const Need& need : list.of(list.layers[static_cast<std::size_t>(layer)]))
        if (split_read(need, layer, layout.splits) != p) return false;
    return true;
}

MachineTraffic even_traffic(const LayerList& list, int layer, std::int64_t split, bool gradients) {
    MachineTraffic t;
    if (split == 1) return t;
    const auto p = static_cast<double>(split);
    for (const Need& need : list.of(list.layers[static_cast<std::size_t>(layer)])) {
        if (gradients && !need.gradient) continue;
        if (needs_everything(need, split)) {
            t.received += need.elements * (1.0 - 1.0 / p);
            t.sources += p - 1.0;
        } else if (need.halo > 0.0) {
            t.received += need.elements * need.halo;
            t.sources += std::min(p - 1.0, 2.0 * std::ceil(need.halo / 2.0 * p));
        }
    }
    t.sent = t.received;
    t.destinations = t.sources;
    return t;
}

void add_traffic(const LayerList& list, int layer, const Layout& layout, bool gradients, Scratchpad& scratch) {
    const std::int64_t p = layout.splits[static_cast<std::size_t>(layer)];
    mark(layer, layout, scratch.own);
    for (const Need& need : list.of(list.layers[static_cast<std::size_t>(layer)])) {
        if (need.gradient != gradients) continue;
        const int from = need.from == Need::outside ? layer : need.from;
        const std::int64_t q = split_read(need, layer, layout.splits);
        if (needs_everything(need, p)) {
            mark(from, layout, scratch.held);
            gather(need, p, q, layout, scratch);
        } else {
            exchange_rows(need, layer, from, p, q, layout, scratch);
        }
    }
}

MachineTraffic printed_traffic(const LayerList& list, int layer, std::span<const std::int64_t> splits, bool gradients) {
    MachineTraffic t;
    const std::int64_t split = splits[static_cast<std::size_t>(layer)];
    const auto p = static_cast<double>(split);
    for (const Need& need : list.of(list.layers[static_cast<std::size_t>(layer)])) {
        if (gradients && !need.gradient) continue;
        const auto q = static_cast<double>(split_read(need, layer, splits));
        double share = 0.0, peers = q - 1.0;
        if (need.reach == Reach::everything) {
            share = 1.0 - 1.0 / q;
        } else if (p == q) {
            share = std::min(need.halo, 1.0 - 1.0 / p);
            peers = std::min(2.0, p - 1.0);
        } else {
            share = std::max(0.0, std::min(1.0, 1.0 / p + need.halo) - 1.0 / q);
        }
        if (share <= 0.0) continue;
        t.received += share * need.elements;
        t.sources += peers;
    }
    return t;
}

Seconds time_of(const MachineTraffic& traffic, const CpuMachine& machine, std::int64_t threads) {
    const auto direction = [&](double elements, double peers) {
        if (elements <= 0.0) return Seconds{};
        const Bytes volume = machine.activation_bytes * (elements * static_cast<double>(threads));
        return peers * machine.latency + volume / machine.network;
    };
    return std::max(direction(traffic.received, traffic.sources), direction(traffic.sent, traffic.destinations));
}

DeltaSum delta_sum(const LayerWork& layer, std::int64_t split, const CpuMachine& machine) {
    if (!layer.replicates || split < 2) return {};
    const auto p = static_cast<double>(split);
    // What is no product has few weights, which travel with the kernels beside it.
    const Seconds start_up = layer.is_product ? machine.latency * (2.0 * (p - 1.0)) : Seconds{};
    return {start_up, machine.weight_bytes * (2.0 * (p - 1.0) / p * layer.own_weights) / machine.network};
}

}  // namespace scalescope::yan
