// SPDX-License-Identifier: GPL-3.0-or-later
// How many configurations a second are really scored: pruned ones do not count. Data parallel, split by outputs and
// hybrid over workers × batch × device × link × scheme.
#include <benchmark/benchmark.h>

#include "core/formats/library.hpp"
#include "core/search/search.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::search;

namespace {

const formats::Library& search_library() {
    static const formats::Library all = formats::load_shipped();
    return all;
}

Axis search_axis(const Scenario& base, const char* path, const char* values) {
    auto read = read_axis(path, find_field(path), values, base, search_library().catalogue);
    if (!read) support::stop(read.error());
    return *read;
}

Space search_space(const char* network, const char* batches) {
    Scenario base = support::scenario(support::preset(network));
    auto space = Space::make(
        base,
        {search_axis(base, "cluster.device", "tesla-k40,tesla-k80,tesla-p100-sxm2-16gb,tesla-v100-sxm2-16gb"),
         search_axis(base, "cluster.between", "ethernet-10g,ethernet-25g,infiniband-edr"),
         search_axis(base, "training.batch", batches), search_axis(base, "parallelism.strategy", "data,outputs,hybrid"),
         search_axis(base, "parallelism.scheme", "*"),
         search_axis(base, "parallelism.collective", "ring,tree,automatic"),
         search_axis(base, "cluster.workers", "1..128")},
        [](Scenario& s, const std::string& path, const std::string& value) {
            return set_field(s, path, value, search_library().catalogue);
        });
    if (!space) support::stop(space.error());
    return std::move(*space);
}

void run_search(benchmark::State& state, const char* network, const char* batches, bool prune, unsigned threads,
                std::vector<Metric> objectives) {
    const Space space = search_space(network, batches);
    Question q;
    q.objectives = std::move(objectives);
    q.prune = prune;
    SearchResult last;
    double scored = 0;
    for (auto _ : state) {
        last = *search::search(space, q, threads);
        scored += static_cast<double>(last.counts.scored);
    }
    state.counters["space"] = static_cast<double>(space.size());
    state.counters["scored"] = static_cast<double>(last.counts.scored);
    state.counters["pruned"] = static_cast<double>(last.counts.pruned);
    state.counters["scored/s"] = benchmark::Counter(scored, benchmark::Counter::kIsRate);
}

/// The same by estimate() alone, on a few of them.
void naive_search(benchmark::State& state, const char* network) {
    const Space space = search_space(network, "16,64");
    std::uint64_t index = 0;
    double scored = 0;
    for (auto _ : state) {
        index = (index + 7919) % space.size();
        if (const auto s = space.scenario(index)) scored += estimate(*s).has_value();
    }
    state.counters["scored/s"] = benchmark::Counter(scored, benchmark::Counter::kIsRate);
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
        benchmark::RegisterBenchmark(("search, " + name + "/naive").c_str(),
                                     [=](benchmark::State& state) { naive_search(state, network); });
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
