// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/hardware/cpu_machine.hpp"
#include "core/yan/exchange.hpp"

/// What a layer costs a machine and a replica for one sample: section 2 of docs/decisions/cpu-clusters.md.
namespace scalescope::yan {

/// What one multiply-add costs a thread: caches, interference of threads, and the wall of memory bandwidth. After Yan
/// et al. (KDD 2015), re-derived: docs/decisions/cpu-clusters.md.
enum class CacheTier : std::uint8_t { l2, l3, memory };

CacheTier tier_of(const CpuMachine& machine, Bytes working_set);

/// Seconds of one multiply-add on one of `threads` threads whose weights fill `working_set`:
/// max(C_tier·(1 + κ·(h − 1) + κ'·(h − cores)⁺), b_w·h / (reuse·B_mem) if it streams from memory).
/// `reuse`: multiply-adds that each loaded weight serves, at least 1.
Seconds multiply_add(const CpuMachine& machine, std::int64_t threads, Bytes working_set, double reuse = 1.0);

/// Forward, the errors of the inputs, and the deltas of the weights with their local update.
struct PassTimes {
    Seconds forward, backward, update;
    Seconds total() const { return forward + backward + update; }
    /// By 0, 1, 2.
    Seconds of(std::size_t pass) const { return pass == 0 ? forward : pass == 1 ? backward : update; }
    PassTimes& operator+=(const PassTimes& o) {
        forward += o.forward, backward += o.backward, update += o.update;
        return *this;
    }
};

/// Of the largest segment: U_f, U_b, U_w.
struct SegmentTimes : PassTimes {
    Bytes working_set;  ///< of the weights (of both factors, where a layer multiplies two tensors)
    CacheTier tier = CacheTier::l2;
};

/// One layer of a replica, per sample and thread.
struct LayerTimes {
    std::int64_t split = 1;  ///< p
    SegmentTimes compute;
    PassTimes exchange;  ///< M_f, M_b, M_w: of the machine that takes longest
    PassTimes time;      ///< T_f, T_b, T_w
    /// Of the time, what the exchange adds to the compute, and the rest of the exchange.
    Seconds exposed() const { return time.total() - compute.total(); }
    Seconds hidden() const {
        const Seconds rest = exchange.total() - exposed();
        return rest > 1e-12 * (time.total() + exchange.total()) ? rest : Seconds{};  // less is rounding
    }
};

/// Everything of a network on a machine that no configuration changes.
struct PreparedNetwork {
    LayerList list;
    CpuMachine machine;
    MethodOptions options;
    Weights weights;  ///< Σ w, shared ones once
};

PreparedNetwork prepare(const Network& network, const CpuMachine& machine, const MethodOptions& options = {});

/// Share of the layer that its largest of `split` segments has: ⌈extent/p⌉/extent; 1/p in the worked example.
double largest_share(const LayerWork& layer, std::int64_t split, const MethodOptions& options);

/// Into how many segments a layer is cut at most: no more than it has rows, channels or units.
std::int64_t most_segments(const LayerWork& layer, std::int64_t partitions, const MethodOptions& options);

SegmentTimes segment_times(const PreparedNetwork& prepared, const Configuration& configuration, std::size_t layer,
                           std::int64_t split);

/// T_f, T_b and T_w of a layer: of the machine that takes longest, exchange and compute of which overlap as far as the
/// configuration says. Allocates nothing once `scratch` has room.
LayerTimes layer_times(const PreparedNetwork& prepared, const Configuration& configuration, std::size_t layer,
                       const Layout& layout, Scratchpad& scratch);

/// What a segment holds: b_w·w of weights and as much of deltas that wait for the servers (none in the worked example),
/// and 2·H·b_a·n of activations with their errors.
struct SegmentMemory {
    Bytes weights, deltas, activations;
    Bytes total() const { return weights + deltas + activations; }
};
SegmentMemory segment_memory(const PreparedNetwork& prepared, const LayerWork& layer, std::int64_t split,
                             std::int64_t threads);

}  // namespace scalescope::yan
