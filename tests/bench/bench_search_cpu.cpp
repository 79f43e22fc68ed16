// SPDX-License-Identifier: GPL-3.0-or-later
// Searching CPU clusters: machines × replicas × machines of a replica × updates × servers × batch. One plan for each
// kind of machine, one sum over the layers for each number of machines of a replica; "naive" makes all of it anew.
#include <benchmark/benchmark.h>

#include "core/formats/library.hpp"
#include "core/search/search.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::search;

namespace {

const formats::Library& cpu_search_library() {
    static const formats::Library all = formats::load_shipped();
    return all;
}

Space cpu_search_space(const char* network, SegmentSplits splits) {
    const Catalogue& catalogue = cpu_search_library().catalogue;
    Scenario base = support::scenario(support::preset(network));
    base.model.method = Method::cpu_cluster;
    base.cluster.machine = *catalogue.machine("adam-like");
    base.cpu.splits = splits;
    std::vector<Axis> axes;
    for (const auto& [path, values] :
         {std::pair("cluster.machine", "*"), std::pair("cpu.replicas", "1..64"), std::pair("cpu.partitions", "1..32*2"),
          std::pair("parallelism.updates", "*"), std::pair("parallelism.servers", "1..16*2"),
          std::pair("training.batch", "32..1024*2")}) {
        auto axis = read_axis(path, find_field(path), values, base, catalogue);
        if (!axis) support::stop(axis.error());
        axes.push_back(std::move(*axis));
    }
    auto space = Space::make(base, std::move(axes),
                             [&catalogue](Scenario& s, const std::string& path, const std::string& value) {
                                 return set_field(s, path, value, catalogue);
                             });
    if (!space) support::stop(space.error());
    return std::move(*space);
}

void search_cpu_clusters(benchmark::State& state, const char* network, SegmentSplits splits, unsigned threads,
                         std::vector<Metric> objectives) {
    const Space space = cpu_search_space(network, splits);
    Question question;
    question.objectives = std::move(objectives);
    SearchResult last;
    double scored = 0;
    for (auto _ : state) {
        last = *search::search(space, question, threads);
        scored += static_cast<double>(last.counts.scored);
    }
    state.counters["space"] = static_cast<double>(space.size());
    state.counters["scored"] = static_cast<double>(last.counts.scored);
    state.counters["scored/s"] = benchmark::Counter(scored, benchmark::Counter::kIsRate);
}

/// The same by estimate() alone, on a few of them.
void naive_cpu_search(benchmark::State& state, const char* network, SegmentSplits splits) {
    const Space space = cpu_search_space(network, splits);
    std::uint64_t index = 0;
    double scored = 0;
    for (auto _ : state) {
        index = (index + 7919) % space.size();
        if (const auto s = space.scenario(index)) scored += estimate(*s).has_value();
    }
    state.counters["scored/s"] = benchmark::Counter(scored, benchmark::Counter::kIsRate);
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
            naive_cpu_search(state, "alexnet-one-tower", of);
        });
    }
    return true;
}();

}  // namespace
