// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/plan.hpp"

/// Activation recomputation (docs/decisions/recomputation.md): runs of layers keep only their inputs, or some of their
/// tensors, and the backward pass runs the forward pass of their layers, or of some of them, once more.
namespace scalescope {

/// By position, an id of the block of layers that the layer's name tells, or -1. Found once for a network.
const std::vector<int>& blocks_of(const Network& network);

/// Whether the network has blocks, or modules that can be recomputed.
bool can_recompute(const Network& network);

/// Sets `part.blocks`, and of its work what is computed again, as `plan.recomputation` says. Reads from `plan` also the
/// layers that were named and the borders of stages; from `part` the network, the work and the kept tensors.
void mark_recomputed(const Plan& plan, PlanPart& part);

/// Makes of a plan one whose backward pass recomputes that.
void set_recompute(Plan& plan, const Recomputation& recomputation);

/// The plan that recomputes what `point` says: this one, or one that is made of it in the scratch.
const Plan& make_plan_of(const Plan& plan, const Recomputation& recomputation, Scratch& scratch);
inline const Plan& plan_of(const Plan& plan, const Point& point, Scratch& scratch) {
    const Recomputation wanted = point.recomputation();
    return wanted == plan.recomputation || plan.method != Method::pipeline ? plan : make_plan_of(plan, wanted, scratch);
}

/// Whether the messages that carry the layer's output forward are sent again in the backward pass. Where a layer is
/// recomputed alone, as attention is, they are not: only what it computes on its way is needed again.
inline bool sends_again(const Work& work, int layer) {
    return !work.again.empty() && work.again[static_cast<std::size_t>(layer)].messages;
}

}  // namespace scalescope
