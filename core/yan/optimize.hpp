// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/yan/splits.hpp"

/// The search for the configuration with the shortest epoch: partitions, replicas, servers and threads.
namespace scalescope::yan {

struct ClusterSpace {
    std::int64_t machines = 1;               ///< M
    std::vector<std::int64_t> partitions{};  ///< P; empty: 1, 2, 4, … as far as there are machines
    std::vector<std::int64_t> threads{};     ///< H; empty: 1, 2, 4, … and as many as the machine has cores
    std::vector<std::int64_t> servers{};     ///< S; empty: every number for which there is room
    bool best_splits = false;                ///< p_l of every layer by the dynamic programme; else all the same
    std::size_t keep = 10;                   ///< the best so many
    Configuration base;                      ///< everything else
};

struct Ranked {
    Configuration configuration;
    Score score;
};

struct ClusterRanking {
    std::vector<Ranked>
        best;  ///< by time of an epoch, then by machines; each with as many replicas as there is room for
    std::int64_t scored = 0;      ///< configurations
    std::int64_t do_not_fit = 0;  ///< of these, those that need more memory than there is
    Bytes least_memory;           ///< of those, what the least of them needs on a machine; 0 if all fit
    bool proven = true;           ///< none outside of `best` is better; not if a split is not proven
    bool cancelled = false;
};

/// All of P × H × S, with R = ⌊(M − S)/P⌋ (⌊M/P⌋ where servers stand on workers' machines). Ended by `watch`, it
/// returns the best so far. Problems: an empty space, one too large, a machine or base that does not pass check().
Result<ClusterRanking> optimize(const PreparedNetwork& prepared, const ClusterSpace& space, const Watch& watch = {});

}  // namespace scalescope::yan
