// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/yan/layers.hpp"

/// On which machine of a replica each segment of each layer stands. A machine has at most one segment of a layer.
namespace scalescope::yan {

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

}  // namespace scalescope::yan
