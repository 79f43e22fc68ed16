// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "core/base/watch.hpp"
#include "core/search/search.hpp"

namespace scalescope::search {

/// The name of the data degree in a set of locks. No field stores this degree: it is the number of devices divided by
/// the other degrees.
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

/// Chooses how to divide the work so that the design fits into memory and training takes the least time: the degrees of
/// the mesh, micro-batches, schedule, chunks, sharded states, recomputation and accumulation. Everything else is left
/// as it is: devices, batch, precision, collectives. Only usual values are searched: tensor parallelism within a node,
/// at most one stage per block, at least 4,096 positions for each rank of the context axis, and the 1F1B and
/// interleaved schedules. Sequence parallelism is switched on together with tensor parallelism. All figures are those
/// of estimate(). Fails if nothing fits, if the method is not the pipeline, or if a step runs several networks.
Result<BestMesh> best_mesh(const Scenario& scenario, const Locks& locks = {}, Effort effort = Effort::quick,
                           const Watch& watch = {});

/// Whether a mesh can be searched for: for one network, with the method Scalescope.
bool has_mesh(const Scenario& scenario);

enum class Fineness : std::uint8_t {
    fine,   ///< all that best_mesh() looks at
    coarse  ///< without rare choices of recomputation, sharding and chunks: where other things are varied too
};

/// What best_mesh() varies, for a search on any of `counts` devices: the choices, then what has to be set so that a
/// mesh is possible, with one value each. The scenario must have a mesh.
std::vector<Axis> mesh_axes(const Scenario& scenario, std::span<const std::int64_t> counts, Fineness fineness);

/// Fields that best_mesh() may choose, in the order in which people name them.
std::span<const std::string_view> mesh_choices();

}  // namespace scalescope::search
