// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/fill_drain.hpp"

#include <algorithm>

namespace scalescope {

FillDrain fill_drain(const Pipeline& pipeline, std::int64_t micro_batches) {
    const double more = static_cast<double>(micro_batches - 1);
    double work = 0, waiting = 0, transfers = 0;
    auto direction = [&](std::span<const double> stages, std::span<const double> links) {
        double slowest = 0, slowest_link = 0, sum = 0;
        for (double t : stages) {
            work += t;
            slowest = std::max(slowest, t);
        }
        for (double t : links) {
            sum += t;
            slowest_link = std::max(slowest_link, t);
        }
        work += more * slowest;
        const double exposed = sum + more * std::max(0.0, slowest_link - slowest),
                     all = sum * static_cast<double>(micro_batches);
        waiting += exposed;
        transfers += all;
        return exposed < all ? exposed / all : 1.0;
    };
    const double forward = direction(pipeline.forward, pipeline.activation);
    const double backward = direction(pipeline.backward, pipeline.gradient);
    return {Seconds{work + waiting}, Seconds{waiting}, Seconds{transfers}, forward, backward};
}

}  // namespace scalescope
