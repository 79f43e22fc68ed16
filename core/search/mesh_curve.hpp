// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/estimate/curves.hpp"
#include "core/search/best_mesh.hpp"

namespace scalescope::search {

/// What a step takes with the best mesh on each of `counts` devices, without locks, in the order of the counts;
/// `scenario` must have a mesh. Counts on which nothing fits are left out, and those after a cancellation. No point has
/// a speedup: where one device holds nothing there is none.
std::vector<CurvePoint> mesh_curve(const Scenario& scenario, std::span<const std::int64_t> counts,
                                   const CancelToken& cancel = {});

/// Whether both have the same curve: they differ at most in the number of devices, in what best_mesh() chooses, and in
/// their names.
bool same_mesh_curve(Scenario a, const Scenario& b);

}  // namespace scalescope::search
