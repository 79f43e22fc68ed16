// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/scenario/scenario.hpp"
#include "core/yan/model.hpp"

/// CPU clusters as a method for whole steps: what the room `yan` needs to price a scenario, made once for a plan.
///
/// A worker is a machine. Those of a replica share one copy of the network; R = ⌊workers / machines of a replica⌋. The
/// batch is what a replica trains on between two exchanges with the servers. One machine alone has no servers.
namespace scalescope {

struct Plan;
struct Point;
struct Summary;

struct CpuMethod {
    yan::PreparedNetwork prepared;
    yan::Configuration base;  ///< all that no Point holds
    SegmentSplits splits = SegmentSplits::most;
    bool queueing = false;
};

/// Null for other methods. Problems: no machine, or figures of it that cannot be; several networks, steps without all
/// passes; more threads than the machine has.
Result<std::shared_ptr<const CpuMethod>> make_cpu_method(const Scenario& scenario);

/// What one sample costs a replica, for one number of machines; `memory` without what servers beside would hold.
struct CpuSums {
    std::int64_t partitions = 0, exchange_every = 0;
    std::int64_t servers_beside = 0;   ///< 0 where they do not matter
    std::vector<std::int64_t> splits;  ///< as Configuration::splits
    bool proven = true;                ///< no other splits take less time
    yan::PassTimes sample;             ///< T_f, T_b, T_w
    yan::PassTimes compute;            ///< of these, without what exchange adds
    Seconds exposed, hidden;           ///< exchange that adds to it, and that it hides
    Bytes memory, up;
    std::shared_ptr<const yan::PlacementTable> placement;  ///< null: aligned
};

/// Remembers the sums of some numbers of machines. One per thread.
struct CpuScratch {
    std::shared_ptr<const char> of;  ///< Plan::prices
    yan::Scratchpad pad;
    std::vector<CpuSums> sums;
    std::size_t next = 0;  ///< the place of the one that goes first when there are many
};

/// The configuration of a point: R, P, S, K, and one step as its epoch.
yan::Configuration cpu_configuration(const Plan& plan, const Point& point);
/// Sums for its machines and exchanges; valid until the next call.
const CpuSums& cpu_sums(const Plan& plan, const yan::Configuration& configuration, CpuScratch& scratch);
/// One machine that trains on its own exchanges nothing with servers.
inline bool trains_alone(const yan::Configuration& c) { return c.replicas * c.partitions == 1; }

/// Adds the times of a step to a summary that knows its batch; `feasible` it is not, if there are fewer machines than
/// a replica has. No allocation once the sums of the point's machines are known.
void score_cpu(const Plan& plan, const Point& point, CpuScratch& scratch, Summary& summary);
/// Peak memory of the fullest machine, with what servers hold beside it or on a machine of their own.
Bytes cpu_memory(const Plan& plan, const Point& point, CpuScratch& scratch);

/// What of a scenario the method does not hear, in words: "Adam", "frozen layers".
std::vector<std::string> unheard_by_cpu_clusters(const Scenario& scenario);

/// Up to how many machines of a replica an answer is there at once. Beyond, trying splits or places takes from seconds
/// to a minute for networks with many branches: the verb cpu-cluster does that, with a way to end it.
inline constexpr std::int64_t most_machines_for_best_splits = 32;
inline constexpr std::int64_t most_machines_placed_by_connections = 256;

constexpr bool takes_too_long(SegmentSplits splits, SegmentPlacement placement, std::int64_t partitions) {
    return (splits == SegmentSplits::best && partitions > most_machines_for_best_splits) ||
           (placement == SegmentPlacement::by_connections && partitions > most_machines_placed_by_connections);
}

}  // namespace scalescope
