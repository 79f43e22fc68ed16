// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/yan/exchange.hpp"

#include <algorithm>
#include <cmath>

#include "core/yan/layers.hpp"

namespace scalescope::yan {

namespace {

class Placing {
public:
    Placing(const LayerList& list, std::span<const std::int64_t> splits, std::int64_t partitions, Bytes memory,
            std::span<const double> memory_of)
        : list_(list),
          splits_(splits),
          memory_of_(memory_of),
          left_(static_cast<std::size_t>(partitions), memory.value),
          load_(left_.size()),
          taken_(left_.size()),
          local_(left_.size()) {
        table_.first.push_back(0);
    }

    PlacementTable place() {
        for (std::size_t l = 0; l < list_.layers.size(); ++l) {
            const LayerWork& w = list_.layers[l];
            const auto leader = static_cast<std::size_t>(w.leader);
            const std::int64_t split = splits_[l];
            std::ranges::fill(taken_, char{0});
            for (std::int64_t s = 0; s < split; ++s) {
                count_local(w, s, split);
                // A layer without a split of its own stays where its leader is.
                const std::size_t m =
                    leader == l ? best(l) : static_cast<std::size_t>(table_.machine[table_.first[leader] + at(s)]);
                taken_[m] = 1;
                left_[m] -= memory_of_[l];
                load_[m] += (w.forward_adds + w.activations) / static_cast<double>(split);
                table_.machine.push_back(static_cast<std::int32_t>(m));
            }
            table_.first.push_back(static_cast<std::uint32_t>(table_.machine.size()));
        }
        return std::move(table_);
    }

private:
    static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

    /// Connections of the segment to placed ones, in `local_`, by their machines.
    void count_local(const LayerWork& w, std::int64_t s, std::int64_t split) {
        std::ranges::fill(local_, 0);
        for (const Need& need : list_.of(w)) {
            if (need.from == Need::outside || list_.layers[at(need.from)].position == w.position) continue;
            const std::int64_t q = splits_[at(need.from)];
            for (std::int64_t t = 0; t < q; ++t) {
                if (connected(need, s, split, t, q)) ++local_[at(table_.machine[table_.first[at(need.from)] + at(t)])];
            }
        }
    }

    std::size_t best(std::size_t layer) const {
        std::size_t found = left_.size();
        const auto better = [&](std::size_t a, std::size_t b) {
            const bool room_a = left_[a] >= memory_of_[layer], room_b = left_[b] >= memory_of_[layer];
            if (room_a != room_b) return room_a;
            if (local_[a] != local_[b]) return local_[a] > local_[b];
            return load_[a] < load_[b];
        };
        for (std::size_t m = 0; m < left_.size(); ++m)
            if (!taken_[m] && (found == left_.size() || better(m, found))) found = m;
        return found;
    }

    const LayerList& list_;
    std::span<const std::int64_t> splits_;
    std::span<const double> memory_of_;
    std::vector<double> left_, load_;
    std::vector<char> taken_;
    std::vector<std::int64_t> local_;
    PlacementTable table_;
};

}  // namespace

PlacementTable place_by_connections(const LayerList& list, std::span<const std::int64_t> splits,
                                    std::int64_t partitions, Bytes memory, std::span<const double> memory_of) {
    return Placing(list, splits, partitions, memory, memory_of).place();
}

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
