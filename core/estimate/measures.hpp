// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/estimate/estimate.hpp"

/// What a layer or a block of layers asks for in a step, by which a drawing of the network is coloured.
namespace scalescope {

/// What most of a layer's time goes to.
enum class Bound { none, compute, memory, communication };

/// Of one layer, or of several together: everything in here adds up. Of the worker that has the layer, in one step.
struct LayerMeasures {
    Seconds forward{0}, backward{0}, update{0}, communication{0};  ///< communication that nothing hides
    Seconds hidden{0};                                             ///< that goes on behind computation
    double flops = 0;                                              ///< forward and backward
    Bytes traffic{0};                                              ///< read and written by them
    Bytes kept{0};                                                 ///< waits for the backward pass
    double parameters = 0;                                         ///< held by the worker
    Seconds arithmetic{0};                                         ///< `flops` at the rate that the device reaches
    Seconds transfer{0};                                           ///< `traffic` at that of its memory

    Seconds total() const { return forward + backward + update + communication; }
    /// The longest of arithmetic, transfer and communication; of those that take the same the first.
    Bound bound() const;
    /// Share of the three that the longest has.
    double bound_share() const;
    LayerMeasures& operator+=(const LayerMeasures& other);
};

/// By position in the network of `part`; a layer that the estimate does not list is zero everywhere. `estimate` is that
/// of `plan`.
std::vector<LayerMeasures> measure_layers(const Plan& plan, const Estimate& estimate, int part);

/// The sum over some layers of them, in their order.
LayerMeasures sum_over(const std::vector<LayerMeasures>& layers, const std::vector<int>& positions);

}  // namespace scalescope
