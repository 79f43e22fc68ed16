// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/yan/mva.hpp"

namespace scalescope::yan {

ClosedNetwork mean_value_analysis(std::int64_t customers, Seconds think, Seconds service) {
    ClosedNetwork state;
    for (std::int64_t n = 1; n <= customers; ++n) {
        state.response = service * (1.0 + state.queue);
        state.throughput = static_cast<double>(n) / (think + state.response).value;
        state.queue = state.throughput * state.response.value;
    }
    return state;
}

}  // namespace scalescope::yan
