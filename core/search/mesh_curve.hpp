// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/estimate/curves.hpp"
#include "core/search/best_mesh.hpp"

namespace scalescope::search {

/// Step of the best mesh (without locks) on each of `counts` devices, in the order of the counts; `scenario` must have
/// a mesh. Leaves out counts at which no mesh fits, and those not reached before a cancellation. The points have no
/// speedup, as it is undefined if one device cannot hold the design.
std::vector<CurvePoint> mesh_curve(const Scenario& scenario, std::span<const std::int64_t> counts,
                                   const CancelToken& cancel = {});

/// Whether both have the same curve: they differ at most in the number of devices, in what best_mesh() chooses, and in
/// their names.
bool same_mesh_curve(Scenario a, const Scenario& b);

}  // namespace scalescope::search
