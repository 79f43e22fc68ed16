// SPDX-License-Identifier: GPL-3.0-or-later
// What it costs to say where everything stands, after each edit and each fold. Target, on one core: 1,000 layers with
// all blocks unfolded within a frame (16 ms).
#include <benchmark/benchmark.h>

#include "core/drawing/drawing.hpp"
#include "support_networks.hpp"

namespace {

using namespace scalescope;

void hierarchy(benchmark::State& state) {
    const Sketch sketch(*support::long_network(static_cast<int>(state.range(0))));
    std::size_t top = 0;
    for (auto _ : state) top = drawing::make_hierarchy(sketch).top.size();
    state.counters["boxes"] = static_cast<double>(top);
}
BENCHMARK(hierarchy)->Arg(1000)->Arg(5000)->Unit(benchmark::kMillisecond);

void layout_folded(benchmark::State& state) {
    const Sketch sketch(*support::long_network(static_cast<int>(state.range(0))));
    const auto h = drawing::make_hierarchy(sketch);
    for (auto _ : state) benchmark::DoNotOptimize(drawing::draw(sketch, h, {}, {}).boxes.size());
}
BENCHMARK(layout_folded)->Arg(1000)->Arg(5000)->Unit(benchmark::kMillisecond);

void layout_unfolded(benchmark::State& state) {
    const Sketch sketch(*support::long_network(static_cast<int>(state.range(0))));
    const auto h = drawing::make_hierarchy(sketch);
    const auto open = drawing::open_at_first(h, 1 << 30);
    for (auto _ : state) benchmark::DoNotOptimize(drawing::draw(sketch, h, open, {}).boxes.size());
}
BENCHMARK(layout_unfolded)->Arg(1000)->Arg(5000)->Unit(benchmark::kMillisecond);

/// Every layer at the top, as a file without names that is unfolded: the worst there is.
void layout_of_random_layers(benchmark::State& state) {
    std::mt19937 random(1);
    const auto network = support::random_network(random, static_cast<int>(state.range(0)));
    const Sketch sketch(*network);
    const auto h = drawing::make_hierarchy(sketch);
    const auto open = drawing::open_at_first(h, 1 << 30);
    for (auto _ : state) benchmark::DoNotOptimize(drawing::draw(sketch, h, open, {}).boxes.size());
}
BENCHMARK(layout_of_random_layers)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
