// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/estimate/estimate.hpp"

namespace scalescope {

/// A buffer that waits on a device from forward until the backward pass of the layer that needs it. A tensor that
/// several layers need is there once, and goes when the first of them in the network, the last in backward, is done.
struct KeptTensor {
    static constexpr int mask = -1, within = -2;
    int part = 0;
    int stage = -1;     ///< the device, where stages are devices
    int keeper = 0;     ///< position of the first layer on the device that needs it
    int tensor = -1;    ///< position of the layer whose output it is; mask, or within: the keeper's own
    int like = 0;       ///< position of the layer that needs most of it: its samples and share are the size
    bool read = false;  ///< `like` reads it, so that its share of the inputs counts; otherwise it is its own output
    Bytes bytes{0};
};

/// Ordered by the layers that keep them, as `estimate.layers`.
std::vector<KeptTensor> kept_tensors(const Plan& plan, const Estimate& estimate);

/// Samples of which a layer's tensors are kept: all micro-batches on their way through the stages (GPipe).
double kept_samples(const Plan& plan, const Estimate& estimate, const LayerEstimate& row);

}  // namespace scalescope
