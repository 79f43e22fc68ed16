// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/estimate/plan.hpp"

/// Activation recomputation (docs/decisions/recomputation.md): blocks of layers keep only their inputs, and the
/// backward pass runs their forward pass once more.
namespace scalescope {

/// By position: the block that the layer is recomputed with, counted from 0, or -1. A block is a run of consecutive
/// layers. Empty if nothing is recomputed. Reads from `plan` its point, which selects what to recompute, and the layers
/// that were named; from `part` the network, the work and the kept tensors.
std::vector<int> find_recomputed(const Plan& plan, const PlanPart& part);

/// By position, an id of the block of layers that the layer's name tells, or -1. Found once for a network.
const std::vector<int>& blocks_of(const Network& network);

/// Whether the network has blocks, or attention that keeps its scores.
bool can_recompute(const Network& network);

/// Sets `part.blocks`, and `part.work.again` for their layers.
void mark_recomputed(const Plan& plan, PlanPart& part);

/// Makes of a plan one whose backward pass recomputes that.
void set_recompute(Plan& plan, Recompute recompute);

/// The plan that recomputes what `point` says: this one, or one that is made of it in the scratch.
const Plan& make_plan_of(const Plan& plan, Recompute recompute, Scratch& scratch);
inline const Plan& plan_of(const Plan& plan, const Point& point, Scratch& scratch) {
    return point.recompute == plan.point.recompute || plan.method != Method::pipeline
               ? plan
               : make_plan_of(plan, point.recompute, scratch);
}

/// Whether the messages that carry the layer's output forward are sent again in the backward pass. Where a layer is
/// recomputed alone, as attention is, they are not: only what it computes on its way is needed again.
inline bool sends_again(const Plan& plan, const PlanPart& part, int layer) {
    const auto block_of = [&](int l) {
        return l < 0 || l >= part.work.layers ? -1 : part.blocks[static_cast<std::size_t>(l)];
    };
    if (part.blocks.empty() || block_of(layer) < 0) return false;
    return plan.point.recompute == Recompute::blocks ||
           (plan.point.recompute == Recompute::layers &&
            (block_of(layer - 1) == block_of(layer) || block_of(layer + 1) == block_of(layer)));
}

}  // namespace scalescope
