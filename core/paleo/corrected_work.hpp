// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/paleo_net.hpp"
#include "core/paleo/method.hpp"
#include "core/paleo/plan.hpp"

#include <vector>

namespace scalescope::paleo {

/// The work of a pass with every correction on, as frameworks do it. The one place where that is decided; it must say
/// the same as core/work does (the agreement test of tests/core compares them).
///
/// Convolution, deconvolution, inner product: all passes have the FLOPs of the forward pass; forward moves input,
/// weights, output; gradient to data moves output gradient, weights, input gradient; gradient to filter moves input,
/// output gradient, weight gradient. Weights are counted without biases. All other layers have no FLOPs: forward reads
/// its inputs and writes its output, backward reads the output gradient and writes the input gradients; an Input costs
/// nothing, a Reshape moves nothing. Nobody computes a gradient to `data`. 4 bytes an element.
PassPlan corrected_pass(const Net& net, const Layer& layer, Pass pass);

}  // namespace scalescope::paleo
