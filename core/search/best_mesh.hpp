// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "core/base/watch.hpp"
#include "core/search/search.hpp"

namespace scalescope::search {

/// Of a set of locks: the data degree, which is no field, as it takes the devices that the other degrees leave.
inline constexpr std::string_view data_degree = "parallelism.data";

/// Paths of what stays as it is: `data_degree`, or fields that best_mesh() would choose.
using Locks = std::set<std::string, std::less<>>;

struct BestMesh {
    Scenario scenario;
    Summary summary;
    Bytes memory{0};  ///< peak of the fullest device; 0 where the device's memory is not known
    Counts counts;
    std::uint64_t fit() const { return counts.scored - counts.unfit; }
};

enum class Effort : std::uint8_t {
    quick,  ///< uphill from the likely ones: search_from(); while a hand drags
    whole   ///< every combination: search()
};

/// The scenario with its devices divided so that training takes the least time and fits into their memory: degrees of
/// the mesh, micro-batches, schedule, chunks, sharded states, recomputation and accumulation. All else stays: devices,
/// batch, precision, messages. What is searched are the usual values: tensor parallelism within a node, as many stages
/// as there are blocks at most, context parallelism of 4,096 positions and more, the 1F1B and the interleaved schedule.
/// Sequence parallelism goes with tensor parallelism. The result has the bits of estimate(). Problems: nothing fits;
/// the method is not the pipeline; several networks in a step.
Result<BestMesh> best_mesh(const Scenario& scenario, const Locks& locks = {}, Effort effort = Effort::quick,
                           const Watch& watch = {});

/// Fields that best_mesh() may choose, in the order in which people name them.
std::span<const std::string_view> mesh_choices();

}  // namespace scalescope::search
