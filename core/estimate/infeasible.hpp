// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace scalescope {

/// Why a point has no time.
enum class Infeasible {
    no,
    too_many_for_units,
    too_many_for_layers,
    not_divisible,     ///< the workers do not divide by the degrees of the mesh
    no_mesh,           ///< given degrees with a setting that does not support them
    no_sharding,       ///< sharded states with a strategy that does not support them
    uneven_groups,     ///< replicas that do not divide into groups that share their states
    no_recompute,      ///< recomputed activations with a strategy that does not support them
    no_attention,      ///< context parallelism without an attention over one sequence
    uneven_positions,  ///< positions that do not divide by the context degree
    no_experts,        ///< expert parallelism without a mixture of experts
    uneven_experts,    ///< experts, their units, or the workers of a stage, that do not divide by their degrees
    experts_apart,     ///< expert parallelism in stages whose workers are not neighbours
    uneven_heads,      ///< heads that do not, where ranks change to heads
    no_schedule,       ///< the order of the pipeline cannot run with these stages and micro-batches
    too_many_passes,   ///< more than the program steps through
    no_single_network,
    no_such_strategy,
    no_such_scheme,
    not_asynchronous,    ///< asynchronous updates, with what they are not modelled with
    no_replica,          ///< CPU cluster: fewer machines than one replica has
    too_large_to_count,  ///< CPU cluster: its times are no numbers any more
    takes_no_time,
    states_too_large  ///< for the memory of a worker, without its activations; asked of curves only (curves.hpp)
};

}  // namespace scalescope
