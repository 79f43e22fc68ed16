// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/measure/runs/runs.hpp"

namespace scalescope::measure {

/// How far runs with the same factors lie apart: no model that sees only the factors can be closer to them.
struct RepeatNoise {
    double deviation = 0.0;   ///< standard deviation of ln t within groups, pooled over them
    std::size_t groups = 0;   ///< sets of factors measured more than once
    std::size_t repeats = 0;  ///< runs in them
};

/// Of runs that agree in all of `factors`; nothing if no two do.
std::optional<RepeatNoise> repeat_noise(const Runs& runs, const std::vector<std::string>& factors);

}  // namespace scalescope::measure
