// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/units/units.hpp"

/// How a network is spread over CPU machines and parameter servers, after Yan et al. 2015 (re-derived):
/// docs/decisions/cpu-clusters.md. What the machines are is in Cluster, how many servers there are in Parallelism.
namespace scalescope {

enum class ConvolutionSplit : std::uint8_t {
    rows,      ///< each machine has rows of the image, and all kernels
    channels,  ///< each machine has some of the kernels, and needs the whole input
};
enum class LocalUpdate : std::uint8_t { per_sample, per_exchange };  ///< per_exchange: once for all of an exchange
enum class SegmentPlacement : std::uint8_t {
    aligned,  ///< segment s of p stands on machine ⌊s·P/p⌋: neighbours in a layer stay neighbours on machines
    by_connections  ///< each segment where it has the fewest remote connections (US patent 10,686,869, claim 1)
};
enum class SegmentSplits : std::uint8_t {
    most,  ///< every layer is cut into as many segments as there are machines, or as it can have
    best   ///< into as many as take least time, by a dynamic programme
};

struct CpuCluster {
    std::int64_t partitions = 1;  ///< machines of a replica
    SegmentSplits splits = SegmentSplits::most;
    SegmentPlacement placement = SegmentPlacement::aligned;
    ConvolutionSplit convolutions = ConvolutionSplit::rows;
    std::int64_t threads = 0;       ///< of a machine that train, each with a sample of its own; 0: one a core
    bool servers_beside = false;    ///< the servers stand on the workers' machines, whose network and cores they share
    bool wait_for_servers = false;  ///< asynchronous: a replica rests while its weights travel
    bool queueing = false;          ///< asynchronous: replicas queue at the servers, and meet others there
    Fraction overlap{0};            ///< share of the shorter of compute and exchange of a layer that hides
    LocalUpdate local_update = LocalUpdate::per_sample;
    Bytes buffers{0};             ///< of each machine beside weights, deltas and activations
    bool worked_example = false;  ///< the formulas with the simplifications of the worked example
    bool operator==(const CpuCluster&) const = default;
};

}  // namespace scalescope
