// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/estimate/estimate.hpp"

namespace scalescope {

/// What some layers take in a step on one device.
struct RowTime {
    Seconds forward{0}, backward{0}, update{0}, communication{0};  ///< communication that nothing hides
    Seconds hidden{0};
    Bytes kept{0};     ///< from the forward pass for the backward pass
    int devices = 0;   ///< of a pipeline that have any of them
    int longest = -1;  ///< position of the layer that takes longest; -1: none of them takes time
    Seconds total() const { return forward + backward + update + communication; }
};

/// Adds up the times of layers. Where they lie on several devices of a pipeline, which work side by side, it is the
/// times on the device that takes longest for them: equal blocks on four stages take what a quarter of them does.
class RowTimes {
public:
    /// Of the network `part`, which has that many layers; `estimate` must outlive it.
    RowTimes(const Estimate& estimate, int part, int layers);
    /// The same for layers of another estimate, by position in this network; null: it has none.
    RowTimes(std::vector<const LayerEstimate*> layers, const Estimate& estimate);
    RowTime of(std::span<const int> positions) const;

private:
    std::vector<const LayerEstimate*> layers_;
    std::size_t devices_;
};

/// Of all these layers of a network, wherever they are.
struct RowWork {
    std::int64_t parameters = 0;
    Flops forward{0};  ///< of one sample
};
/// Without `work` only the parameters.
RowWork row_work(const Network& network, const Work* work, std::span<const int> positions);

}  // namespace scalescope
