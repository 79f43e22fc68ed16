// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/fill_drain.hpp"

#include <algorithm>

namespace scalescope {

Seconds simulate_fill_drain(std::span<const double> forward, std::span<const double> backward, std::span<const double> activation,
                            std::span<const double> gradient, std::int64_t micro_batches, std::vector<double>& free, Timeline* timeline) {
    const std::size_t stages = forward.size();
    free.assign(stages, 0.0);
    auto note = [&](Activity a, std::size_t row, double start, double length) {
        if (timeline && length > 0) timeline->intervals.push_back({a, static_cast<int>(row), -1, Seconds{start}, Seconds{length}});
    };
    for (std::int64_t m = 0; m < micro_batches; ++m) {
        double arrival = 0;
        for (std::size_t s = 0; s < stages; ++s) {
            const double start = std::max(free[s], arrival);
            free[s] = start + forward[s];
            note(Activity::forward, s, start, forward[s]);
            if (s + 1 < stages) {
                arrival = free[s] + activation[s];
                note(Activity::communication, s, free[s], activation[s]);
            }
        }
    }
    double end = stages ? free[stages - 1] : 0;
    for (std::int64_t m = 0; m < micro_batches; ++m) {
        double arrival = 0;
        for (std::size_t s = stages; s-- > 0;) {
            const double start = std::max(free[s], arrival);
            free[s] = start + backward[s];
            note(Activity::backward, s, start, backward[s]);
            if (s > 0) {
                arrival = free[s] + gradient[s - 1];
                note(Activity::communication, s, free[s], gradient[s - 1]);
            }
            end = std::max(end, free[s]);
        }
    }
    return Seconds{end};
}

}  // namespace scalescope
