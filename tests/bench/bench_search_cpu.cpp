// SPDX-License-Identifier: GPL-3.0-or-later
// Searching CPU clusters: machines × replicas × machines of a replica × updates × servers × batch. One plan for each
// kind of machine, one sum over the layers for each number of machines of a replica; "naive" makes all of it anew.
#include <benchmark/benchmark.h>

#include "support_networks.hpp"
#include "support_search_bench.hpp"

using namespace scalescope;
using namespace scalescope::search;

namespace {

Space cpu_search_space(const char* network, SegmentSplits splits) {
    Scenario base = support::scenario(support::preset(network));
    base.model.method = Method::cpu_cluster;
    base.cluster.machine = *bench::library().catalogue.machine("adam-like");
    base.cpu.splits = splits;
    return bench::space(
        base, {bench::axis(base, "cluster.machine", "*"), bench::axis(base, "cpu.replicas", "1..64"),
               bench::axis(base, "cpu.partitions", "1..32*2"), bench::axis(base, "parallelism.updates", "*"),
               bench::axis(base, "parallelism.servers", "1..16*2"), bench::axis(base, "training.batch", "32..1024*2")});
}

void search_cpu_clusters(benchmark::State& state, const char* network, SegmentSplits splits, unsigned threads,
                         std::vector<Metric> objectives) {
    Question question;
    question.objectives = std::move(objectives);
    bench::search_all(state, cpu_search_space(network, splits), question, threads);
}

const bool cpu_searches_registered = [] {
    for (const auto& [name, splits] :
         {std::pair("most segments", SegmentSplits::most), std::pair("best segments", SegmentSplits::best)}) {
        const std::string title = std::string("search of CPU clusters, AlexNet, ") + name;
        const auto add = [&, of = splits](const char* what, unsigned threads, std::vector<Metric> objectives) {
            benchmark::RegisterBenchmark((title + '/' + what).c_str(),
                                         [=](benchmark::State& state) {
                                             search_cpu_clusters(state, "alexnet-one-tower", of, threads, objectives);
                                         })
                ->Unit(benchmark::kMillisecond)
                ->UseRealTime();
        };
        add("least time", 1, {Metric::time});
        add("least time, two threads", 2, {Metric::time});
        add("front of time and machines", 1, {Metric::time, Metric::devices});
        benchmark::RegisterBenchmark((title + "/naive").c_str(), [of = splits](benchmark::State& state) {
            bench::search_naively(state, cpu_search_space("alexnet-one-tower", of));
        });
    }
    return true;
}();

}  // namespace
