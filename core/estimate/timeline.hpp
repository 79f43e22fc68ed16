// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.hpp"
#include "core/schedule/timeline.hpp"

namespace scalescope {

/// What happens when in the step that `estimate` describes; it ends when the step does (1e-9). One network at a time:
/// the last micro-step of its last execution layer by layer, those before it in one piece for each pass.
///
/// Rows: work and communication of the busiest worker; hybrid has a third one for the transfers at the cut,
/// asynchronous updates one for what the busiest server does for this worker, which waits before it for as long as it
/// does on average. Split by layers: a row for each stage and each link between two of them, with every micro-batch.
/// Made on demand, as only the scenario on screen needs one.
Timeline make_timeline(const Plan& plan, const Estimate& estimate);

}  // namespace scalescope
