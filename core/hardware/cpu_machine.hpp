// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units/units.hpp"

namespace scalescope {

/// A machine that trains on its processors' cores, with what a method after Yan et al. (KDD 2015) asks of it. Times are
/// of one thread; docs/decisions/cpu-clusters.md says how the shipped ones were derived.
struct CpuMachine {
    std::string id, name, vendor, note;
    std::int64_t cores = 1;    ///< physical ones, of all sockets
    std::int64_t threads = 1;  ///< that the hardware runs at once: as many as cores, or twice
    Bytes l2;                  ///< of a core
    Bytes l3;                  ///< that a thread's weights may fill
    Bytes memory;
    Seconds multiply_add_l2;                     ///< a multiply-add whose weights lie in the second-level cache
    Seconds multiply_add_l3;                     ///< in the last-level cache
    Seconds multiply_add_memory;                 ///< in memory
    double contention = 0.0;                     ///< share by which each further thread slows all (κ)
    double contention_beyond_cores = 0.0;        ///< added for each thread beyond the physical cores
    BytesPerSecond memory_bandwidth;             ///< of the whole machine
    Seconds activation;                          ///< of one output, or one comparison of a pooling window
    Seconds error;                               ///< of one neuron's error term
    Seconds update;                              ///< of one weight, applied locally
    Seconds exponential;                         ///< of one output of a softmax
    Seconds latency;                             ///< start-up time of one message
    BytesPerSecond network;                      ///< of its network card, one way
    BytesPerSecond server_network;               ///< the same where it is a parameter server
    WeightsPerSecond server_updates;             ///< that it applies as a parameter server
    Bytes activation_bytes{4}, weight_bytes{4};  ///< of one
    std::optional<double> price_per_hour;        ///< US dollars
    std::optional<double> power_w;               ///< watts that it draws at work
    std::vector<std::string> sources, unverified;

    bool operator==(const CpuMachine&) const = default;
};

}  // namespace scalescope
