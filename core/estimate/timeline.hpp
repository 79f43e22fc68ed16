// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/estimate/estimate.hpp"
#include "core/units/units.hpp"

namespace scalescope {

/// `backward` is all of a backward pass where it is in one piece, else the gradients of activations. `hidden` is
/// communication that work covers; `communication` is waited for. `idle` includes the bubble of a pipeline.
enum class Activity { forward, recomputation, backward, weight_gradients, update, communication, hidden, idle };

/// One piece of the step on one row of the timeline (a stream of the shown worker, a stage, a link).
struct Interval {
    Activity activity;
    int row = 0;
    int layer = -1;  ///< position; -1: no single layer
    Seconds start, length;
    int part = 0;                   ///< index of its network in the workload
    std::int64_t micro_batch = -1;  ///< in a pipeline of stages, from 0; -1: none
    bool on_chain = false;          ///< of passes and messages that wait for each other, as long as the pipeline runs
};

struct Timeline {
    std::vector<std::string> rows;
    std::vector<Interval> intervals;
    Seconds end{0};
};

/// What happens when in the step that `estimate` describes; it ends when the step does (1e-9). One network at a time:
/// the last micro-step of its last execution layer by layer, those before it in one piece for each pass.
///
/// Rows: work and communication of the busiest worker; hybrid has a third one for the transfers at the cut,
/// asynchronous updates one for what the busiest server does for this worker, which waits before it for as long as it
/// does on average. Split by layers: a row for each stage and each link between two of them, with every micro-batch.
/// Made on demand, as only the scenario on screen needs one.
Timeline make_timeline(const Plan& plan, const Estimate& estimate);

}  // namespace scalescope
