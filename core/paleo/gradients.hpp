// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/paleo/net.hpp"
#include "core/paleo/plan.hpp"

/// The convolutions whose cost PALEO takes for the passes of a layer (docs/decisions/paleo.md).
namespace scalescope::paleo {

/// A gradient's stand-in: a stride-1 convolution with the holes that the stride leaves in it.
struct StandIn {
    Convolution convolution;
    double holes = 0.0;    ///< share of its image (gradient to data) or filter (gradient to filter) that is zero
    bool is_exact = true;  ///< its result has the size it should have; PALEO stops where it has not
};

/// The layer's own convolution for one sample; of a Deconvolution: the convolution it transposes.
Convolution own_convolution(const Layer& layer, Era era);

StandIn data_gradient_of(const Layer& layer, const Convolution& own, Era era);
StandIn filter_gradient_of(const Layer& layer, const Convolution& own, Era era);

/// The gradient to the filter of a Deconvolution, given the stand-in its forward pass is priced by.
StandIn deconvolution_filter_gradient(const StandIn& forward);

}  // namespace scalescope::paleo
