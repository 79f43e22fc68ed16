// SPDX-License-Identifier: GPL-3.0-or-later
// How many configurations a second are really scored: pruned ones do not count. Data parallel, split by outputs and
// hybrid over workers × batch × device × link × scheme.
#include <benchmark/benchmark.h>

#include "support_choices.hpp"
#include "support_networks.hpp"
#include "support_search_bench.hpp"

using namespace scalescope;
using namespace scalescope::search;

namespace {

Space search_space(const char* network, const char* batches) {
    Scenario base = support::scenario(support::preset(network));
    return bench::space(
        base, {bench::axis(base, "cluster.device", "tesla-k40,tesla-k80,tesla-p100-sxm2-16gb,tesla-v100-sxm2-16gb"),
               bench::axis(base, "cluster.between", "ethernet-10g,ethernet-25g,infiniband-edr"),
               bench::axis(base, "training.batch", batches), bench::axis(base, "parallelism.fill", "data,tensor"),
               bench::axis(base, "parallelism.segments", "false,true"), bench::axis(base, "parallelism.scheme", "*"),
               bench::axis(base, "parallelism.collective", "ring,tree,automatic"),
               bench::axis(base, "cluster.workers", "1..128")});
}

void run_search(benchmark::State& state, const char* network, const char* batches, bool prune, unsigned threads,
                std::vector<Metric> objectives) {
    Question q;
    q.objectives = std::move(objectives);
    q.prune = prune;
    bench::search_all(state, search_space(network, batches), q, threads);
}

const bool searches_registered = [] {
    for (const char* network : {"alexnet-one-tower", "inception-v3"}) {
        const std::string name = network;
        const auto add = [&](const char* what, bool prune, std::vector<Metric> objectives) {
            benchmark::RegisterBenchmark(("search, " + name + "/" + what).c_str(), [=](benchmark::State& state) {
                run_search(state, network, "4..256*2", prune, 1, objectives);
            })->Unit(benchmark::kMillisecond);
        };
        add("everything scored", false, {Metric::time});
        add("everything scored, front of time and cost", false, {Metric::time, Metric::cost});
        add("pruned", true, {Metric::time});
        add("pruned, least cost", true, {Metric::cost});
        benchmark::RegisterBenchmark(("search, " + name + "/naive").c_str(), [=](benchmark::State& state) {
            bench::search_naively(state, search_space(network, "16,64"));
        });
    }
    for (const bool prune : {false, true})
        benchmark::RegisterBenchmark(prune ? "search of 10 million, AlexNet, two threads/pruned"
                                           : "search of 10 million, AlexNet, two threads/everything scored",
                                     [=](benchmark::State& state) {
                                         run_search(state, "alexnet-one-tower", "2..436", prune, 2, {Metric::time});
                                     })
            ->Unit(benchmark::kSecond)
            ->Iterations(1)
            ->UseRealTime();
    return true;
}();

}  // namespace
