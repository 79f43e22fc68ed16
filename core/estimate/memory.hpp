// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.hpp"

namespace scalescope {

/// Peak memory of the fullest device: weights, gradients and optimizer state stay; activations kept for backward pile
/// up in forward and go one by one in backward, where two gradient tensors live beside them. Fills in what each layer
/// keeps.
MemoryEstimate memory_of(const Plan& plan, Estimate& e, Scratch& scratch);
/// The same of one device, after walk_memory.
MemoryEstimate memory_estimate(const MemoryScratch::Device& device);
/// What waits for backward, ordered by the layers that keep it, as `estimate.layers`.
std::vector<KeptTensor> kept_tensors(const Plan& plan, const Estimate& estimate);
/// Whether a step fits into the scenario's worker (device or machine); true if its memory is unknown.
bool fits_device(const Scenario& scenario, const MemoryEstimate& memory);
/// Warnings that belong beside the numbers, a step that does not fit first. Overwrites `scratch`.
void add_notes(const Scenario& scenario, const Plan& plan, Estimate& e, Scratch& scratch, Remedies remedies);

}  // namespace scalescope
