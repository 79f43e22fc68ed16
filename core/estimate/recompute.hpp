// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/estimate/plan.hpp"

/// Activation recomputation (docs/decisions/recomputation.md): blocks of layers keep only their inputs, and the
/// backward pass runs their forward pass once more.
namespace scalescope {

/// By position: the block that the layer is recomputed with, counted from 0, or -1. A block is a run of consecutive
/// layers. Empty if nothing is recomputed. `part` needs its network, its work and its keeps.
std::vector<int> find_recomputed(Recompute recompute, const PlanPart& part);

/// Whether the network has blocks, or attention that keeps its scores.
bool can_recompute(const Network& network);

/// Sets `part.blocks`, and `part.work.again` for their layers.
void mark_recomputed(Recompute recompute, PlanPart& part);

/// Makes of a plan one whose backward pass recomputes that.
void set_recompute(Plan& plan, Recompute recompute);

/// The plan that recomputes what `point` says: this one, or one that is made of it in the scratch.
const Plan& make_plan_of(const Plan& plan, Recompute recompute, Scratch& scratch);
inline const Plan& plan_of(const Plan& plan, const Point& point, Scratch& scratch) {
    return point.recompute == plan.point.recompute || plan.method != Method::pipeline
               ? plan
               : make_plan_of(plan, point.recompute, scratch);
}

/// Whether the messages that carry the layer's output forward are sent again in the backward pass. Where attention
/// alone is recomputed, they are not: only its scores are needed again.
inline bool sends_again(const Plan& plan, const PlanPart& part, int layer) {
    return plan.point.recompute == Recompute::blocks && !part.blocks.empty() &&
           part.blocks[static_cast<std::size_t>(layer)] >= 0;
}

}  // namespace scalescope
