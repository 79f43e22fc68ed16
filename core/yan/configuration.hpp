// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/scenario/scenario.hpp"
#include "core/units/units.hpp"

/// How training is spread over a cluster of CPU machines, after Yan et al. (KDD 2015), re-derived.
namespace scalescope::yan {

using scalescope::ConvolutionSplit;
using scalescope::LocalUpdate;
using scalescope::SegmentPlacement;

/// What the model takes into account. The defaults put right what docs/decisions/cpu-clusters.md lists.
struct MethodOptions {
    /// The formulas as the worked example has them: real-valued segments, free fan-out, kernels of spatial splits cut
    /// like weights, no reuse of weights, softmax for free, no room for accumulated deltas.
    bool worked_example = false;
    ConvolutionSplit convolutions = ConvolutionSplit::rows;
    Bytes buffers;  ///< of each machine beside weights, deltas and activations

    bool operator==(const MethodOptions&) const = default;
};

struct Configuration {
    std::int64_t partitions = 1;  ///< P: machines of a replica
    /// p_l of every layer of PreparedNetwork::layers; empty: as many as there are partitions, or as the layer can have.
    std::vector<std::int64_t> splits{};
    SegmentPlacement placement = SegmentPlacement::aligned;
    std::int64_t replicas = 1;        ///< R
    std::int64_t servers = 1;         ///< S: machines that are parameter servers
    bool servers_beside = false;      ///< on the workers' machines, whose network and cores they then share
    std::int64_t threads = 1;         ///< H: of a machine, each with a sample of its own
    std::int64_t exchange_every = 1;  ///< K: samples of a replica between two exchanges with the servers
    bool synchronous = false;
    bool exchange_beside_training = true;  ///< asynchronous: updates and reads run while the next samples train
    double overlap = 0.0;                  ///< share of the shorter of compute and exchange of a layer that hides
    LocalUpdate local_update = LocalUpdate::per_sample;
    double step_deviation = 0.0;  ///< σ of a replica's step over its mean: stragglers of synchronous steps
    Samples samples{1.0};         ///< N: of an epoch

    std::int64_t machines() const {
        return servers_beside ? (replicas * partitions > servers ? replicas * partitions : servers)
                              : replicas * partitions + servers;
    }
    bool operator==(const Configuration&) const = default;
};

/// What an epoch waits for.
enum class Resource : std::uint8_t { compute, worker_network, server_network, server_cpu };
inline constexpr std::size_t resource_count = 4;
std::string_view name_of(Resource resource);  ///< "compute", "worker network", "server network", "server CPU"

/// Words over every figure.
inline constexpr std::string_view method_label = "after Yan et al. 2015 (re-derived)";

}  // namespace scalescope::yan
