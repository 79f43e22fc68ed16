// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/units/units.hpp"

namespace scalescope {

/// A closed network in its steady state: so many customers, who think, wait for one station and are served.
struct ClosedNetwork {
    double throughput = 0.0;  ///< customers served in a second (X)
    Seconds response;         ///< waiting and service (R)
    double queue = 0.0;       ///< customers at the station, the one in service too (Q)
};

/// Exact mean value analysis (Reiser and Lavenberg, JACM 1980) for `customers` of them: R = D·(1 + Q of one customer
/// fewer), X = n/(Z + R), Q = X·R. Exact for exponential service and any think time. think + service must be above 0.
/// At most about 19·√(think/service) short steps, however many customers there are, and no allocation
/// (docs/decisions/asynchronous-updates.md).
ClosedNetwork mean_value_analysis(std::int64_t customers, Seconds think, Seconds service);

/// Q, the mean number at the station, of so many customers: all that the analysis above asks of one customer fewer.
double mean_at_station(std::int64_t customers, Seconds think, Seconds service);

}  // namespace scalescope
