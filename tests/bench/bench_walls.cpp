// SPDX-License-Identifier: GPL-3.0-or-later
// Walls up to 1,024 workers, a network of several hundred layers, against the same scan with a whole estimate of every
// count for the sake of its memory. "faster" is the ratio within this run.
#include <benchmark/benchmark.h>

#include <chrono>

#include "core/search/walls.hpp"
#include "support_choices.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::search;

namespace {

Scenario walled(support::Divided strategy) {
    Scenario s = support::scenario(support::preset("resnet-200"));
    support::divide(s.parallelism, strategy);
    s.training.batch = 1024;
    s.cluster.device.memory = gigabytes(16);
    return s;
}

/// The counts at which the step fits, each by its estimate.
int naive_scan(const Scenario& s, Plan plan) {
    Scratch scratch = make_scratch(plan);
    int fit = 0;
    for (std::int64_t n = 1; n <= WallOptions{}.up_to; ++n) {
        plan.point.workers = n;
        const auto e = estimate(s, plan, scratch);
        fit += e && !(e->memory.peak > *s.cluster.device.memory) ? 1 : 0;
    }
    return fit;
}

void walls_of(benchmark::State& state, support::Divided strategy) {
    const Scenario s = walled(strategy);
    const Plan plan = *prepare(s);
    const auto seconds_of = [](auto work) {
        const auto start = std::chrono::steady_clock::now();
        benchmark::DoNotOptimize(work());
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    double walls = 0;
    for (auto _ : state) walls += seconds_of([&] { return find_walls(s, plan); });
    walls /= static_cast<double>(state.iterations());
    state.counters["faster"] = seconds_of([&] { return naive_scan(s, plan); }) / walls;
}

const bool walls_registered = [] {
    for (const auto& [name, strategy] :
         {std::pair("data", support::Divided::data), std::pair("outputs", support::Divided::outputs),
          std::pair("hybrid", support::Divided::hybrid), std::pair("layers", support::Divided::layers)})
        benchmark::RegisterBenchmark(("walls, resnet-200/" + std::string(name)).c_str(), [strategy = strategy](
                                                                                             benchmark::State& state) {
            walls_of(state, strategy);
        })->Unit(benchmark::kMillisecond);
    return true;
}();

}  // namespace
