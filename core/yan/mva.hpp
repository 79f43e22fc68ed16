// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/units/units.hpp"

namespace scalescope::yan {

/// A closed network in its steady state: so many customers, who think, wait for one station and are served.
struct ClosedNetwork {
    double throughput = 0.0;  ///< customers served in a second (X)
    Seconds response;         ///< waiting and service (R)
    double queue = 0.0;       ///< customers at the station, the one in service too (Q)
};

/// Exact mean value analysis (Reiser and Lavenberg, JACM 1980) for `customers` of them: R = D·(1 + Q of one customer
/// fewer), X = n/(Z + R), Q = X·R. Exact for exponential service and any think time. O(customers), no allocation.
/// think + service must be above 0.
ClosedNetwork mean_value_analysis(std::int64_t customers, Seconds think, Seconds service);

}  // namespace scalescope::yan
