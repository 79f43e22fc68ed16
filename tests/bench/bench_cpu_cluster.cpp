// SPDX-License-Identifier: GPL-3.0-or-later
// CPU clusters: one configuration, the splits of one, and whole searches.
#include <benchmark/benchmark.h>

#include "core/yan/optimize.hpp"
#include "support_yan.hpp"

using namespace scalescope;

namespace {

yan::PreparedNetwork prepared_preset(const char* network) {
    return yan::prepare(*support::preset(network), support::example_machine());
}

/// Every configuration scored from its layers up; items are configurations.
void cpu_cluster_score(benchmark::State& state, const char* network) {
    const auto prepared = prepared_preset(network);
    yan::Scratchpad scratch;
    yan::Configuration c;
    c.exchange_every = 256;
    std::int64_t n = 0;
    for (auto _ : state) {
        c.partitions = 1 + n % 8;
        c.servers = 1 + n % 5;
        ++n;
        benchmark::DoNotOptimize(yan::score(prepared, c, scratch));
    }
    state.SetItemsProcessed(n);
}

/// The search over partitions, servers and threads; items are configurations.
void cpu_cluster_search(benchmark::State& state, const char* network, std::int64_t machines) {
    const auto prepared = prepared_preset(network);
    yan::ClusterSpace space;
    space.machines = machines;
    space.base.exchange_every = 256;
    std::int64_t n = 0;
    for (auto _ : state) n += yan::optimize(prepared, space)->scored;
    state.SetItemsProcessed(n);
}

void cpu_cluster_splits(benchmark::State& state, const char* network) {
    const auto prepared = prepared_preset(network);
    yan::Configuration c;
    c.partitions = 16;
    c.threads = 16;
    for (auto _ : state) benchmark::DoNotOptimize(yan::best_splits(prepared, c, yan::doubling(16)));
}

}  // namespace

BENCHMARK_CAPTURE(cpu_cluster_score, alexnet, "alexnet-one-tower");
BENCHMARK_CAPTURE(cpu_cluster_score, inception, "inception-v3");
BENCHMARK_CAPTURE(cpu_cluster_search, alexnet_20, "alexnet-one-tower", 20)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(cpu_cluster_search, alexnet_10000, "alexnet-one-tower", 10'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cpu_cluster_splits, alexnet, "alexnet-one-tower")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cpu_cluster_splits, inception, "inception-v3")->Unit(benchmark::kMillisecond);
