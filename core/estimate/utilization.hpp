// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/estimate/estimate.hpp"

/// How well a design uses its devices, in the terms in which training is reported.
namespace scalescope {

/// Arithmetic of the forward pass for one sample, as publications count it: products only, and attention over all pairs
/// of positions, also where it is causal and half of them are skipped (Narayanan et al., SC 2021, appendix: forward
/// pass of 24·s·l·h²·(1 + s/(6h) + V/(12lh)); Chowdhery et al., PaLM, 2022, appendix B).
struct CountedFlops {
    Flops forward{0};
    Flops attention{0};     ///< of those, scores and their product with the values
    Flops blocks{0};        ///< the part in blocks with attention, which full recomputation repeats
    double parameters = 0;  ///< that one token uses
};
CountedFlops counted_flops(const Network& network);

/// Forward and backward pass; the backward pass costs twice the forward pass.
Flops model_flops(const CountedFlops& counted);
/// The same and what the backward pass computes again.
Flops hardware_flops(const CountedFlops& counted, Recompute recompute);

/// Model FLOPs by the number of parameters: 6 FLOPs for each parameter that a token uses, and attention.
/// Utilizations are stated in it: it counts tables of positions, which compute nothing (PaLM, appendix B; MosaicML,
/// llm-foundry). For samples without tokens, such as images, uses the FLOPs of the layers.
Flops model_flops_by_parameters(const CountedFlops& counted, double tokens);
/// The same and what the backward pass computes again: a third of it if all blocks are recomputed (llm-foundry).
Flops hardware_flops_by_parameters(const CountedFlops& counted, double tokens, Recompute recompute);

/// Tokens of one sample: of a translation, of both languages; 1 for a network that reads no tokens.
double tokens_of(const Scenario& scenario);

struct Utilization {
    double tokens_per_second = 0;  ///< of all devices; 0: the network reads no tokens
    /// Model FLOPs that a device does, by model_flops_by_parameters(); but for a frozen parameter, which has no
    /// gradient, 4 FLOPs a token.
    FlopsPerSecond each_device{0};
    /// Of the device's peak in the scenario's precision, by its data sheet; nothing where that is not known. MFU (PaLM,
    /// Chowdhery et al. 2022, appendix B); and HFU, with what the backward pass computes again.
    std::optional<Fraction> model, hardware;
    /// Time and US dollars for 10^12 tokens; nothing without tokens, and no dollars without a price.
    std::optional<Seconds> trillion_tokens;
    std::optional<double> trillion_tokens_cost;
};
/// Nothing for a CPU cluster or a step of several networks.
std::optional<Utilization> utilization_of(const Scenario& scenario, const Estimate& estimate);

}  // namespace scalescope
