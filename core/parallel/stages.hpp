// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/work/work.hpp"

namespace scalescope {

/// Bytes per sample that cross the border before each position when layers are split into stages: each tensor made
/// before and read after it once, input data not at all. `gradients`: the same for tensors whose gradient goes back.
struct Crossings {
    std::vector<double> activations, gradients;  ///< size layers + 1
};
/// Shares, by tensor, of what of it a worker has: empty if all of it.
Crossings make_crossings(const Network& network, const Work& work, std::span<const double> activations = {},
                         std::span<const double> gradients = {});

/// The stage that holds the layer at `position`. `borders` as balance_stages writes them.
inline int stage_at(std::span<const int> borders, int position) {
    return static_cast<int>(std::upper_bound(borders.begin() + 1, borders.end() - 1, position) - borders.begin()) - 1;
}

/// Whether the device of the layer of `uses[i]` holds a copy of its weights for this use: `device_of(layer)` differs
/// for all layers before it that need them.
template <class DeviceOf>
bool needs_copy(std::span<const WeightUse> uses, std::size_t i, DeviceOf device_of) {
    const int device = device_of(uses[i].layer), owner = uses[i].owner;
    for (std::size_t k = i; k-- > 0 && uses[k].owner == owner;)
        if (device_of(uses[k].layer) == device) return false;
    return device_of(owner) != device;
}

/// Splits n positions into exactly `stages` contiguous non-empty ranges so that the largest sum is least; `prefix` are
/// the sums before each position and of all, n + 1. Writes the first position of each stage and the end (stages + 1
/// entries) to `borders`, and returns the largest sum. Exact: a parametric search over sums of ranges (needs 1 <=
/// stages <= n). Of the splits with that largest sum it takes one whose stages are much alike; none has the sum 0 if
/// there are as many summands above 0 as stages.
double balance_stages(const std::vector<double>& prefix, int stages, std::vector<int>& borders);

}  // namespace scalescope
