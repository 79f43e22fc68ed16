// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_server_simulation.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <random>
#include <vector>

namespace support {
namespace {

using scalescope::Seconds;

constexpr int batches = 30;
constexpr double students_t = 2.045229642132703;  ///< 97.5 % with 29 degrees of freedom

class ServerSimulation {
public:
    ServerSimulation(std::int64_t replicas, Seconds think, Seconds service, std::uint64_t seed)
        : think_(think), service_(service), random_(seed) {
        for (std::int64_t n = 0; n < replicas; ++n) thinking_.push(draw(think_));
    }

    struct Batch {
        double throughput = 0.0, queue = 0.0;
    };

    /// Runs until so many were served.
    Batch run(std::int64_t services) {
        const double begin = now_;
        double waiting_time = 0.0;
        for (std::int64_t served = 0; served < services;) {
            const double arrives = thinking_.empty() ? std::numeric_limits<double>::infinity() : thinking_.top();
            const double next = std::min(arrives, ready_);
            waiting_time += static_cast<double>(present_) * (next - now_);
            now_ = next;
            if (arrives <= ready_) {
                thinking_.pop();
                if (present_++ == 0) ready_ = now_ + draw(service_);
            } else {
                ++served;
                ready_ = --present_ == 0 ? std::numeric_limits<double>::infinity() : now_ + draw(service_);
                thinking_.push(now_ + draw(think_));
            }
        }
        const double span = now_ - begin;
        return span > 0.0 ? Batch{static_cast<double>(services) / span, waiting_time / span} : Batch{};
    }

private:
    double draw(Seconds mean) {
        const double uniform = static_cast<double>(random_() >> 11) * 0x1.0p-53;  // in [0, 1)
        return -mean.value * std::log1p(-uniform);
    }

    Seconds think_, service_;
    std::mt19937_64 random_;
    std::priority_queue<double, std::vector<double>, std::greater<>> thinking_;  ///< when they come
    double now_ = 0.0, ready_ = std::numeric_limits<double>::infinity();
    std::int64_t present_ = 0;
};

struct MeanAndWidth {
    double mean = 0.0, half_width = 0.0;
};

MeanAndWidth interval_of(const std::vector<double>& values) {
    if (values.size() < 2) return {values.empty() ? 0.0 : values[0], std::numeric_limits<double>::infinity()};
    const auto n = static_cast<double>(values.size());
    double sum = 0.0, squares = 0.0;
    for (const double v : values) sum += v;
    for (const double v : values) squares += (v - sum / n) * (v - sum / n);
    return {sum / n, students_t * std::sqrt(squares / (n - 1.0) / n)};
}

}  // namespace

SimulatedNetwork simulate_servers(std::int64_t replicas, Seconds think, Seconds service, std::int64_t per_batch,
                                  std::uint64_t seed) {
    SimulatedNetwork result;
    if (replicas < 1 || per_batch < 1 || (think + service).value <= 0.0) return result;
    ServerSimulation simulation(replicas, think, service, seed);
    std::vector<double> throughputs, queues;
    for (int batch = -1; batch < batches; ++batch) {
        const auto b = simulation.run(per_batch);
        if (batch >= 0) {
            throughputs.push_back(b.throughput);
            queues.push_back(b.queue);
        }
    }
    const MeanAndWidth x = interval_of(throughputs), q = interval_of(queues);
    result.throughput = x.mean, result.half_width = x.half_width;
    result.queue = q.mean, result.queue_half_width = q.half_width;
    result.served = per_batch * static_cast<std::int64_t>(throughputs.size());
    return result;
}

}  // namespace support
