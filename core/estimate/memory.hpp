// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

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
/// What the memory of a device holds at its peak. Logits: of a loss, more than the logits and their gradient, which
/// count as activations; other: what the trainer holds all the time.
enum class MemoryPart : std::uint8_t { weights, gradients, optimizer, activations, logits, other };
inline constexpr std::size_t memory_parts = 6;
/// By MemoryPart; the sum is the peak.
std::array<Bytes, memory_parts> parts_of(const MemoryEstimate& memory);
/// Whether a step fits into the scenario's worker (device or machine); true if its memory is unknown.
bool fits_device(const Scenario& scenario, const MemoryEstimate& memory);
/// Warnings that belong beside the numbers, a step that does not fit first. Overwrites `scratch`.
void add_notes(const Scenario& scenario, const Plan& plan, Estimate& e, Scratch& scratch, Remedies remedies);

/// A change that makes a step fit into a device that has too little memory for it. Each was scored; none is a rule of
/// thumb.
struct MemoryRemedy {
    Scenario scenario;               ///< with the remedy
    Bytes peak{0};                   ///< of it; at most the room
    std::string words;               ///< "use 64 workers"
    std::vector<std::string> brief;  ///< of each change: "ZeRO-3", "recompute blocks"
};

/// At most one of each kind, each a change of one field: a smaller batch, smaller pieces of it, another schedule,
/// recomputation, sharded states, larger degrees, another number of workers (up to 1,024, or 16 times as many), another
/// strategy. If none suffices: one of several changes together, if there is any. Overwrites `scratch`.
std::vector<MemoryRemedy> memory_remedies(const Scenario& scenario, const Plan& plan, const Estimate& e, Bytes room,
                                          Scratch& scratch);

/// The remedies in a sentence's end, after them the device that would do; says so if nothing else helps.
std::string memory_remedy(const Scenario& scenario, const Plan& plan, const Estimate& e, Bytes room, Scratch& scratch);

}  // namespace scalescope
