// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <map>

#include "core/estimate/plan.hpp"

/// Memory from the lifetimes of buffers: weights, gradients and optimizer state stay; activations kept for backward
/// pile up in forward and go one by one in backward, where two gradient tensors live beside them; in forward a layer's
/// own tensors are there while it computes. Where the backward pass computes a block of layers again, only its inputs
/// are kept; what its layers need is there during its own backward pass.
namespace scalescope {

/// What waits for backward in a part, by keeper.
void list_keeps(PlanPart& part, const TrainerMemory& trainer);

/// Lists what each layer of one network keeps: adds to `memory.kept`, `first` and `passing`. `rows` has one row for
/// each layer of the network. `blocks` is the number of recomputed or offloaded blocks found so far, and is counted on.
/// If `offloads` is false, everything stays on the device.
void list_kept(const PlanPart& part, std::span<MemoryRow> rows, bool offloads, int& blocks, MemoryScratch& memory);

/// Memory of the fullest device of `memory.rows`: every layer of every part in order. Stages are devices of their own.
MemoryScratch::Device walk_memory(const Plan& plan, const Point& point, MemoryScratch& memory);
/// Bytes that row `r` was the first of its device to keep, after walk_memory.
double kept_by(const MemoryScratch& memory, std::size_t r);
/// The same for tensors that exist only during the backward pass of their block.
double recomputed_by(const MemoryScratch& memory, std::size_t r);
/// Of those, what waits on the host until then.
double hosted_by(const MemoryScratch& memory, std::size_t r);
double peak_of(const MemoryScratch::Device& device);

/// Peak memory of the fullest device at a feasible point, right after score() with the same scratch: the bits of
/// estimate(). No allocation after first use.
Bytes peak_memory(const Plan& plan, const Point& point, Scratch& scratch);

/// Whether a point with stages needs more than `room`, right after score_at_least() with the same scratch: told without
/// stepping through its schedule, from the states of its stages and what each device keeps before its first backward
/// pass. Sure of it, or false.
bool surely_too_large(const Plan& plan, const Point& point, Bytes room, Scratch& scratch);

/// The same, right after score_of_work(): from the states alone.
inline bool states_surely_too_large(Bytes room, const Scratch& scratch) {
    const auto& states = scratch.division.state_bytes;  // sums in another order: more than rounding may take
    return std::any_of(states.begin(), states.end(), [&](double bytes) { return bytes > room.value * (1 + 1e-9); });
}

/// What the weights, gradients and optimizer states alone take on the fullest device at least, however the layers are
/// divided: all of them over the devices that share them. Told from the degrees, without pricing the point; for
/// synchronous steps on devices (zero for others).
class LeastStates {
public:
    explicit LeastStates(const Plan& plan);
    Bytes at(const Point& point) const;

private:
    bool known_;
    Bytes weights_{0}, gradients_{0}, optimizer_{0};  ///< of all layers
};

/// The peak memory at many points of one plan. Data parallelism's memory follows from a worker's samples alone and is
/// computed once for each number of them.
class PeakMemory {
public:
    explicit PeakMemory(const Plan& plan) : plan_(plan) {}
    /// Right after score() with the same scratch.
    Bytes at(const Point& point, const Summary& summary, Scratch& scratch);

private:
    const Plan& plan_;
    std::map<std::int64_t, Bytes> by_samples_;
};

}  // namespace scalescope
