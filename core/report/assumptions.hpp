// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/scenario/scenario.hpp"

namespace scalescope::report {

/// Something that the figures rest on.
struct Assumption {
    std::string designs;   ///< letters of those it is about: "A, B"; empty: of all
    std::string what;      ///< "Tesla K40: 4.29 TFLOP/s fp32, 288 GB/s memory"
    std::string evidence;  ///< "datasheet", "calibrated", "assumed", …, as the why panel says it
    std::string source;    ///< where it was read, or why it is assumed
    bool operator==(const Assumption&) const = default;
};

/// What the figures of one design rest on: the method, the figures of its hardware, the shares of them that are
/// reached, prices.
std::vector<Assumption> assumptions_of(const Scenario& scenario);

}  // namespace scalescope::report
