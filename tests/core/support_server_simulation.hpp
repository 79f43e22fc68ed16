// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/units/units.hpp"

namespace support {

struct SimulatedNetwork {
    double throughput = 0.0;  ///< served in a second, the mean of the batches
    double half_width = 0.0;  ///< of its 95 % confidence interval, by batch means (Student's t, 29 degrees)
    double queue = 0.0;       ///< customers at the station, mean over time
    double queue_half_width = 0.0;
    std::int64_t served = 0;  ///< in the batches that count
};

/// The closed network of mean_value_analysis, event by event: `replicas` customers think for exponential times with
/// mean `think` and are served one after the other for exponential times with mean `service`. 30 batches of `per_batch`
/// services follow one that does not count. The same seed gives the same bits.
SimulatedNetwork simulate_servers(std::int64_t replicas, scalescope::Seconds think, scalescope::Seconds service,
                                  std::int64_t per_batch, std::uint64_t seed);

}  // namespace support
