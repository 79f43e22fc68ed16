// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/network/network.hpp"
#include "core/scenario/scenario.hpp"
#include "core/units/units.hpp"

namespace scalescope::measure {

/// Arithmetic of the forward pass for one sample, as publications count it: products only, and attention over all pairs
/// of positions, also where it is causal and half of them are skipped (Narayanan et al., SC 2021, appendix: forward
/// pass of 24·s·l·h²·(1 + s/(6h) + V/(12lh)); Chowdhery et al., PaLM, 2022, appendix B).
struct CountedFlops {
    Flops forward{0};
    Flops attention{0};  ///< of those, scores and their product with the values
    Flops blocks{0};     ///< the part in blocks with attention, which full recomputation repeats
    double parameters = 0;
};
CountedFlops counted_flops(const Network& network);

/// Forward and backward pass; the backward pass costs twice the forward pass.
Flops model_flops(const CountedFlops& counted);
/// The same and what the backward pass computes again.
Flops hardware_flops(const CountedFlops& counted, Recompute recompute);

/// Model FLOPs by the number of parameters: 6 FLOPs for each parameter and token, and attention. Utilizations are
/// stated in it: it counts tables of positions, which compute nothing (PaLM, appendix B; MosaicML, llm-foundry).
Flops model_flops_by_parameters(const CountedFlops& counted, double tokens);
/// The same and what the backward pass computes again: a third of it if all blocks are recomputed (llm-foundry).
Flops hardware_flops_by_parameters(const CountedFlops& counted, double tokens, Recompute recompute);

}  // namespace scalescope::measure
