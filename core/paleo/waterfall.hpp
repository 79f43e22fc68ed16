// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/paleo/simulate.hpp"

#include <vector>

namespace scalescope::paleo {

/// One bar of the way from PALEO's number to the corrected one.
struct WaterfallStep {
    const Correction* correction = nullptr;  ///< null for the first step: PALEO as it is
    Seconds iteration;                       ///< with this correction and all before it
    Seconds difference;                      ///< what this correction adds (or takes, negative)
};

/// The time of one step, first as PALEO has it, then with those of `wanted` switched on one after another in the order
/// of corrections(). The differences add up to the last time less the first.
std::vector<WaterfallStep> waterfall(const Net& net, Era era, const Setup& setup, const Situation& situation,
                                     const Corrections& wanted = all_corrections());

}  // namespace scalescope::paleo
