// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/watch.hpp"
#include "core/yan/model.hpp"

/// Which split of every layer gives the least T_sample.
namespace scalescope::yan {

enum class SplitMethod : std::uint8_t {
    dynamic_programme,         ///< layer by layer: exact, memory does not bind
    programme_with_memory,     ///< the same with every trade of time against memory: exact, memory binds
    one_layer_after_the_other  ///< better splits of single layers until there are none: not proven to be the best
};
std::string_view name_of(SplitMethod method);

struct BestSplits {
    std::vector<std::int64_t> splits;  ///< as Configuration::splits
    PassTimes sample;
    Bytes memory;               ///< of the fullest machine
    bool fits = true;           ///< if not, the splits are the best without a bound on memory
    bool memory_binds = false;  ///< without a bound on memory, others would be faster
    bool proven = true;         ///< no other of the choices is better
    bool cancelled = false;
    SplitMethod method = SplitMethod::dynamic_programme;
    std::int64_t evaluations = 0;  ///< of layers
};

/// The best of `choices` (those that a layer cannot have become the most it can) for the machines of a replica, placed
/// aligned. A layer's cost depends on its own split and those of what it reads, so that the programme's state holds the
/// splits of all layers that are still to be read: one in a chain, several where a network has branches. Ended by
/// `watch`, it returns the best that it has. The configuration must pass check().
BestSplits best_splits(const PreparedNetwork& prepared, const Configuration& configuration,
                       std::span<const std::int64_t> choices, const Watch& watch = {});

/// 1, 2, 4, … up to `most`, and `most` itself.
std::vector<std::int64_t> doubling(std::int64_t most);

}  // namespace scalescope::yan
