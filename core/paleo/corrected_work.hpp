// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/paleo/net.hpp"
#include "core/paleo/method.hpp"
#include "core/paleo/plan.hpp"

namespace scalescope::paleo {

/// The work of a pass with every correction on, as frameworks do it. The one place where that is decided; the rules are
/// those of core/network's kinds, and the agreement with core/work is tested.
///
/// Convolution, deconvolution, inner product: all passes have the FLOPs of the forward pass and touch input, weights
/// (with biases) and output once. All other layers have no FLOPs and touch their inputs and output a fixed number of
/// times; an Input costs nothing, a Reshape moves nothing, a sum passes its gradient on. 4 bytes an element.
/// `input_trains`: something before the layer has weights, so that a gradient to its input is wanted.
PassPlan corrected_pass(const Net& net, const Layer& layer, Pass pass, bool input_trains);

}  // namespace scalescope::paleo
