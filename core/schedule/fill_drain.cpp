// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/fill_drain.hpp"

#include <algorithm>

namespace scalescope {

Seconds simulate_fill_drain(const Pipeline& pipeline, std::int64_t micro_batches, Timeline* timeline) {
    const std::size_t stages = pipeline.forward.size();
    std::vector<double> free(stages, 0.0), link_free(stages, 0.0);
    auto note = [&](Activity a, std::size_t row, double start, double length, std::int64_t m) {
        if (timeline && length > 0)
            timeline->intervals.push_back({a, static_cast<int>(row), -1, Seconds{start}, Seconds{length}, 0, m});
    };
    double end = 0;
    /// One micro-batch at one stage; returns when the next stage has it. `link` is the one it leaves by.
    auto pass = [&](Activity a, std::int64_t m, std::size_t s, std::size_t link, double arrival, double work,
                    double transfer) {
        const double start = std::max(free[s], arrival);
        free[s] = start + work;
        end = std::max(end, free[s]);
        note(a, s, start, work, m);
        const double sent = std::max(free[s], link_free[s]);
        link_free[s] = sent + transfer;
        note(Activity::communication, stages + link, sent, transfer, m);
        return link_free[s];
    };
    for (std::int64_t m = 0; m < micro_batches; ++m) {
        double arrival = 0;
        for (std::size_t s = 0; s < stages; ++s)
            arrival = pass(Activity::forward, m, s, s, arrival, pipeline.forward[s], pipeline.activation[s]);
    }
    std::fill(link_free.begin(), link_free.end(), 0.0);  // the other direction of the links
    for (std::int64_t m = 0; m < micro_batches; ++m) {
        double arrival = 0;
        for (std::size_t s = stages; s-- > 0;) {
            const std::size_t link = s > 0 ? s - 1 : 0;
            arrival = pass(Activity::backward, m, s, link, arrival, pipeline.backward[s],
                           s > 0 ? pipeline.gradient[link] : 0.0);
        }
    }
    return Seconds{end};
}

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
