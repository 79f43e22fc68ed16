// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/fit/fit.hpp"

namespace scalescope::measure {

/// The mean loss on five folds of the runs, each predicted by a fit to the other four, for λ of 0, 1e-5, 1e-4 and 1e-3
/// times the weights of `rules`. Empty if there are too few runs, or if `watch` ended it.
std::vector<LambdaScore> cross_validate(const Form& form, const Runs& training, const CostRules& rules,
                                        std::uint64_t seed, const Watch& watch = {});

}  // namespace scalescope::measure
