// SPDX-License-Identifier: GPL-3.0-or-later
// How many operators a second: the closed form, its features and correction, and beside them a naive version that hands
// tile after tile to the multiprocessors.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/measure/fit/random.hpp"
#include "core/measure/operators/correction.hpp"

using namespace scalescope;
using namespace scalescope::operators;

namespace {

Chip bench_chip() { return {.peak = teraflops(14.13), .memory = gigabytes_per_second(897), .processors = 80}; }

std::vector<Matmul> some_products() {
    measure::Draws draws(1);
    std::vector<Matmul> shapes;
    for (int i = 0; i < 1024; ++i) {
        const auto side = [&draws] { return static_cast<std::int64_t>(std::exp2(4 + 8 * draws.uniform())); };
        shapes.push_back({side(), side(), side(), i % 3 == 0 ? side() / 16 + 1 : 1});
    }
    return shapes;
}

/// Every tile goes to the multiprocessor that is free first; the last one to end gives the time.
double naive_seconds(const Matmul& s, const Chip& chip) {
    struct Shape {
        int rows, columns;
        double reached;
    };
    const std::vector<Shape> tiles{{128, 128, 1.0}, {128, 64, 0.92}, {64, 64, 0.8}, {64, 32, 0.62}, {32, 32, 0.45}};
    double best = 1e30;
    for (const Shape& tile : tiles) {
        std::vector<double> busy(static_cast<std::size_t>(chip.processors), 0.0);
        const double work = 2.0 * tile.rows * tile.columns * (static_cast<double>(s.k) + 32) /
                            (chip.peak.value / chip.processors * chip.reached * tile.reached);
        std::size_t next = 0;
        for (std::int64_t q = 0; q < s.batch; ++q)
            for (std::int64_t m = 0; m < s.m; m += tile.rows)
                for (std::int64_t n = 0; n < s.n; n += tile.columns) {
                    busy[next] += work;
                    next = (next + 1) % busy.size();
                }
        best = std::min(best, *std::max_element(busy.begin(), busy.end()));
    }
    return best;
}

template <class Work>
void over_shapes(benchmark::State& state, Work work) {
    const auto shapes = some_products();
    std::size_t at = 0;
    for (auto _ : state) benchmark::DoNotOptimize(work(shapes[at++ % shapes.size()]));
    state.SetItemsProcessed(state.iterations());
}

void operator_time(benchmark::State& state) {
    const Chip chip = bench_chip();
    over_shapes(state, [&](const Matmul& s) { return time_of(s, chip).total.value; });
}
void operator_time_unsplit(benchmark::State& state) {
    const Chip chip = bench_chip();
    over_shapes(state, [&](const Matmul& s) {
        return time_of(s, chip, operators::Pass::forward, {1, false}).total.value;
    });
}
void operator_time_naive(benchmark::State& state) {
    const Chip chip = bench_chip();
    over_shapes(state, [&](const Matmul& s) { return naive_seconds(s, chip); });
}
void operator_time_corrected(benchmark::State& state) {
    const Chip chip = bench_chip();
    std::vector<Sample> samples;
    for (const Matmul& s : some_products()) {
        const Features f = features_of(s, chip);
        samples.push_back({f, f.log_base + 0.1 * std::sin(f.values[6]), 0});
    }
    const Correction c = fit_correction(samples).value();
    over_shapes(state, [&](const Matmul& s) { return corrected(features_of(s, chip), c).time.value; });
}
void correction_of_300(benchmark::State& state) {
    const Chip chip = bench_chip();
    std::vector<Sample> samples;
    for (const Matmul& s : some_products()) {
        const Features f = features_of(s, chip);
        samples.push_back({f, f.log_base + 0.1 * std::sin(f.values[6]), 0});
    }
    samples.resize(300);
    for (auto _ : state) benchmark::DoNotOptimize(fit_correction(samples).value().level);
}

BENCHMARK(operator_time);
BENCHMARK(operator_time_unsplit);
BENCHMARK(operator_time_naive);
BENCHMARK(operator_time_corrected);
BENCHMARK(correction_of_300)->Unit(benchmark::kMillisecond);

}  // namespace
