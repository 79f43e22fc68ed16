// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/scenario/scenario.hpp"
#include "core/units/units.hpp"

namespace scalescope {

/// The backward pass is two pieces of work, so that weight gradients may come later.
constexpr bool splits_backward(PipelineOrder order) { return order >= PipelineOrder::zero_bubble; }

/// A row of `devices`, each of which holds `chunks` stages. Every micro-batch passes stages 0, 1, 2, … in turn; stage k
/// lies on device k mod `devices`. Interleaved: `group` micro-batches pass one chunk of a device before its next chunk
/// starts (Megatron's default is `devices`).
struct PipelineShape {
    int devices = 1, chunks = 1;
    std::int64_t micro_batches = 1, group = 1;
    int stages() const { return devices * chunks; }
};

enum class WorkPhase : std::uint8_t { forward, backward, weights };
/// One piece of work of a device. Where backward is not split, it includes the weight gradients.
struct WorkItem {
    WorkPhase phase = WorkPhase::forward;
    int stage = 0;
    std::int64_t micro_batch = 0;
};

/// Why the order cannot run in this shape, with the numbers; empty if it can.
std::string why_not(PipelineOrder order, const PipelineShape& shape);
/// All that one device does, in this order; `items` is replaced.
void list_items(PipelineOrder order, const PipelineShape& shape, int device, std::vector<WorkItem>& items);

/// Seconds of one micro-batch by stage, and of a message to the next stage, or back. A message does not keep its
/// sender.
struct StageTimes {
    std::span<const double> forward, backward, weights;  ///< backward: of the inputs alone
    double message = 0;
};
struct DeviceRun {
    double busy = 0, start = 0, end = 0;
    std::int64_t most_held = 0;  ///< sets of activations, each of one micro-batch in one stage
};
struct PipelineRun {
    Seconds makespan{0};  ///< from the first start to the last end
    std::vector<DeviceRun> devices;
};
/// Runs the lists of all devices: an item starts when the device's item before it has ended and its input is there.
/// The shape must be one that can run. Linear in the items (specification: composed parallelism, section 6).
PipelineRun run_pipeline(PipelineOrder order, const PipelineShape& shape, const StageTimes& times);

}  // namespace scalescope
