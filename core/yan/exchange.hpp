// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/hardware/cpu_machine.hpp"
#include "core/yan/layers.hpp"

/// What the machines of a replica send each other for one sample: section 3 of docs/decisions/cpu-clusters.md.
namespace scalescope::yan {

// On which machine of a replica each segment of each layer stands. A machine has at most one segment of a layer.

/// Machine of segment `segment` of a layer with `split` segments: each keeps its place in the row of machines, so that
/// what a segment needs of its own place in another layer is mostly where it is, whatever their splits.
constexpr std::int64_t aligned_machine(std::int64_t segment, std::int64_t split, std::int64_t partitions) {
    return segment * partitions / split;
}

/// Machines for the segments of all layers: those of layer l begin at `first[l]`.
struct PlacementTable {
    std::vector<std::uint32_t> first;
    std::vector<std::int32_t> machine;

    std::span<const std::int32_t> of(std::size_t layer) const {
        return {machine.data() + first[layer], machine.data() + first[layer + 1]};
    }
};

/// The rule of claim 1 of US patent 10,686,869: layer after layer, each segment (the largest first; here all of a layer
/// are equal, so in order) goes to a machine that has room, where it has the fewest connections to segments of other
/// machines; among those to the one with the least work so far, then the first. `memory_left`: bytes, one for each
/// machine; a machine with too little is taken only if none has enough. `memory_of`: bytes of a segment of each layer.
PlacementTable place_by_connections(const LayerList& list, std::span<const std::int64_t> splits,
                                    std::int64_t partitions, Bytes memory, std::span<const double> memory_of);

/// Of one machine: elements, and how many others they come from or go to.
struct MachineTraffic {
    double received = 0.0, sent = 0.0;
    double sources = 0.0, destinations = 0.0;
};

/// Room for intermediate results, grown once; one for each thread.
struct Scratchpad {
    std::vector<std::int64_t> splits;     ///< of every layer
    std::vector<MachineTraffic> traffic;  ///< of every machine
    std::vector<std::int32_t> own, held;  ///< segment on every machine, or -1: of the layer, of what it reads
    void make_room(std::size_t layers, std::int64_t partitions) {
        const auto machines = static_cast<std::size_t>(partitions);
        splits.resize(layers);
        if (traffic.size() < machines) traffic.resize(machines), own.resize(machines), held.resize(machines);
    }
};

/// How the segments of a replica lie.
struct Layout {
    std::span<const std::int64_t> splits;  ///< of every layer
    std::int64_t partitions = 1;
    const PlacementTable* table = nullptr;  ///< null: aligned

    std::int64_t machine(int layer, std::int64_t segment) const {
        const auto l = static_cast<std::size_t>(layer);
        return table ? table->of(l)[static_cast<std::size_t>(segment)]
                     : aligned_machine(segment, splits[l], partitions);
    }
};

/// Whether every machine does the same for this layer: then one of them stands for all.
bool is_even(const LayerList& list, int layer, const Layout& layout);

/// Of one machine of an even layer. `gradients`: only what sends errors back.
MachineTraffic even_traffic(const LayerList& list, int layer, std::int64_t split, bool gradients);

/// Adds what the layer's needs (those with a gradient, or the others) move to `scratch.traffic` of every machine.
void add_traffic(const LayerList& list, int layer, const Layout& layout, bool gradients, Scratchpad& scratch);

/// Section 3 as printed: what one segment receives; nobody sends.
MachineTraffic printed_traffic(const LayerList& list, int layer, std::span<const std::int64_t> splits, bool gradients);

/// Of one machine: its network card receives and sends at the same time, and the threads share it.
Seconds time_of(const MachineTraffic& traffic, const CpuMachine& machine, std::int64_t threads);

/// Summing the partial deltas of kernels that `split` machines have whole: a ring, 2·(p − 1)/p·w weights for each.
struct DeltaSum {
    Seconds start_up, transfer;  ///< once
};
DeltaSum delta_sum(const LayerWork& layer, std::int64_t split, const CpuMachine& machine);

}  // namespace scalescope::yan
