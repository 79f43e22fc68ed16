// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/closed_network.hpp"

namespace scalescope {

// With n customers, k of them are at the station with a probability in proportion to t_k = n!/(n − k)!·(D/Z)^k: each of
// the n − k others comes at a rate of 1/Z, one leaves at a rate of 1/D. The mean over k is what the recursion arrives
// at after n steps; all terms are positive, so that nothing cancels.
double mean_at_station(std::int64_t customers, Seconds think, Seconds service) {
    // What stays away when the sums end changes neither by rounding: 2^-64 of the probabilities, 2^-70 of the mean.
    constexpr double certain = 0x1.0p64, nothing = 0x1.0p-70;
    const double thinking = think / service;  // of customers without number, so many think on average
    double term = 1.0, sum = 1.0, weighted = 0.0;
    for (std::int64_t k = 1; k <= customers; ++k) {
        const auto at = static_cast<double>(k);
        term *= static_cast<double>(customers - k + 1) / thinking;
        sum += term;
        // The station is never empty: as many think as the Poisson distribution has on average, the rest waits.
        if (sum > certain) return static_cast<double>(customers) - thinking;
        weighted += at * term;
        if (at * term <= nothing * weighted) break;
    }
    return weighted / sum;
}

ClosedNetwork mean_value_analysis(std::int64_t customers, Seconds think, Seconds service) {
    ClosedNetwork state;
    if (customers < 1) return state;
    state.response = service * (1.0 + mean_at_station(customers - 1, think, service));
    state.throughput = static_cast<double>(customers) / (think + state.response).value;
    state.queue = state.throughput * state.response.value;
    return state;
}

}  // namespace scalescope
