// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/estimate/estimate.hpp"

namespace scalescope::compare {

/// For each layer of `estimate` its counterpart in another design: the layer of the same name in the same part of the
/// workload. Null where there is none. `estimate` and `other_estimate` are those of the scenarios.
std::vector<const LayerEstimate*> counterparts(const Scenario& scenario, const Estimate& estimate,
                                               const Scenario& other, const Estimate& other_estimate);

}  // namespace scalescope::compare
