// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/estimate/estimate.hpp"

namespace scalescope {

/// Estimates one scenario after the other. As long as they differ only in what a Point holds (workers, batch, strategy,
/// collective, scheme, cut), all are priced by one plan; anything else makes a new one. Each estimate, and each
/// problem, is that of estimate(scenario), bit for bit.
class Sweep {
public:
    Result<Estimate> estimate(const Scenario& scenario);
    int plans() const { return plans_; }  ///< how many were made so far

private:
    std::optional<Plan> plan_;
    Scenario scenario_;  ///< of the plan
    Scratch scratch_;
    int plans_ = 0;
};

}  // namespace scalescope
