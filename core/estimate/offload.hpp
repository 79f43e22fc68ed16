// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/plan.hpp"

/// Activations that wait for the backward pass in the host's memory (docs/decisions/offloading.md): what the layers of
/// blocks, or of some modules, keep travels to the host while the rest of its block computes, and back while the
/// backward pass of that block computes.
namespace scalescope {

/// Fills in which layers of the part keep their tensors on the host, and which tensors those are. After list_keeps and
/// mark_recomputed. Of none if the link to the host is not known.
void list_hosted(const Plan& plan, PlanPart& part);

/// Whether a step at that point offloads: not with a hybrid, nor with parameter servers.
inline bool may_offload(const Point& point) { return !point.segments && point.updates == Updates::synchronous; }

/// The copies of the layers [from, to) to the host and back, for one execution of `samples` samples of which there are
/// `times` in a step. Each block's copy hides behind the work of that block. After the layers are priced.
MessageSeconds copy_activations(const Plan& plan, int part, int from, int to, double samples, std::int64_t times,
                                const Point& point, const Mesh& mesh, const LayerAxes* axes, Scratch& scratch);

}  // namespace scalescope
