// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/watch.hpp"
#include "core/estimate/estimate.hpp"

/// What a person looks at in a CPU cluster: one sample by layers, both kinds of updates beside each other, and a grid
/// of replicas and machines of a replica. All of it read off, or priced like, the estimate of the scenario.
namespace scalescope {

/// One layer of one sample on one thread. Of each pass its compute, and what exchange between the machines of a replica
/// adds to that; what compute hides of it is not in the sum.
struct CpuLayerTime {
    int position = 0;        ///< in the network
    std::int64_t split = 1;  ///< segments
    Seconds forward{0}, forward_exchange{0};
    Seconds backward{0}, backward_exchange{0};
    Seconds update{0}, update_exchange{0};
    Seconds hidden{0};
    Seconds total() const {
        return forward + forward_exchange + backward + backward_exchange + update + update_exchange;
    }
    bool operator==(const CpuLayerTime&) const = default;
};

/// In the order of the network, without layers that cost nothing. `estimate` is one of a CPU cluster, made by `plan`.
std::vector<CpuLayerTime> cpu_layer_times(const Plan& plan, const Estimate& estimate);

/// A step with one kind of updates. Asynchronous: how long each resource is busy, and the step lasts as long as the
/// busiest; synchronous: what each adds.
struct CpuUpdates {
    std::array<Seconds, yan::resource_count> terms{};
    yan::Resource binding = yan::Resource::compute;
    Seconds step{0}, epoch{0};
};
struct CpuComparison {
    CpuUpdates asynchronous, synchronous;
    std::optional<Seconds> queued_step;  ///< asynchronous, where replicas queue; nothing for a machine on its own
    double staleness = 0;
};
CpuComparison compare_updates(const Estimate& estimate);

/// One configuration of the grid; everything else is as in the scenario.
struct CpuCell {
    std::int64_t replicas = 1, partitions = 1, workers = 1;
    Summary summary;
    yan::Resource binding = yan::Resource::compute;
    Seconds epoch{0};
    double speedup = 0;
    Bytes memory{0};  ///< of the fullest machine
    bool fits = true;
    bool operator==(const CpuCell&) const = default;
};
struct CpuGrid {
    std::vector<std::int64_t> replicas, partitions;
    std::vector<std::optional<CpuCell>>
        cells;                           ///< by machines of a replica, then by replicas; nothing: too many machines
    std::optional<std::size_t> present;  ///< the scenario's own among them
    std::int64_t most_machines = 0;      ///< that train
    bool operator==(const CpuGrid&) const = default;
};

/// Replicas and machines of a replica in powers of two and as the scenario has them, up to so many machines that train.
/// A cell is the estimate of the scenario with its numbers, bit for bit. Problems: those of the scenario, and one that
/// is none of a CPU cluster. Cancelled, it returns what is there.
Result<CpuGrid> cpu_grid(const Scenario& scenario, const Plan& plan, std::int64_t most_machines,
                         const CancelToken& cancel = {});

/// The scenario with the numbers of a cell.
Scenario with_cell(Scenario scenario, const CpuCell& cell);

}  // namespace scalescope
