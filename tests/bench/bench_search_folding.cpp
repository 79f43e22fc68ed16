// SPDX-License-Identifier: GPL-3.0-or-later
// What it costs to tell combinations under two names once. On one worker all strategies, collectives and schemes are
// one (nearly all is folded), on eight they differ, but for hybrids that cut nothing. A combination is looked at for
// that only if it is good enough: with a list as long as the space all are, with a list of one those that are no worse
// than the best so far.
#include <benchmark/benchmark.h>

#include "core/formats/library.hpp"
#include "core/search/search.hpp"
#include "support_choices.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::search;

namespace {

void search_with_folding(benchmark::State& state, const char* network, const char* workers, bool list_all) {
    static const formats::Library library = formats::load_shipped();
    const Scenario base = support::scenario(support::preset(network));
    std::vector<Axis> axes;
    for (const auto& [path, values] :
         {std::pair("cluster.workers", workers), std::pair("training.batch", "8..1024"),
          std::pair("parallelism.fill", "data,tensor"), std::pair("parallelism.segments", "*"),
          std::pair("parallelism.scheme", "*"), std::pair("parallelism.collective", "ring,tree,butterfly")}) {
        auto axis = read_axis(path, find_field(path), values, base, library.catalogue);
        if (!axis) support::stop(axis.error());
        axes.push_back(std::move(*axis));
    }
    const auto space =
        Space::make(base, std::move(axes), [](Scenario& s, const std::string& path, const std::string& value) {
            return set_field(s, path, value, library.catalogue);
        });
    if (!space) support::stop(space.error());
    Question question;
    question.prune = false;
    question.top = list_all ? static_cast<std::size_t>(space->size()) : 1;
    SearchResult last;
    double scored = 0;
    for (auto _ : state) {
        last = *search::search(*space, question);
        scored += static_cast<double>(last.counts.scored);
    }
    state.counters["scored"] = static_cast<double>(last.counts.scored);
    state.counters["folded"] = static_cast<double>(last.counts.folded);
    state.counters["told"] = static_cast<double>(last.best.size());
    state.counters["scored/s"] = benchmark::Counter(scored, benchmark::Counter::kIsRate);
}

const bool foldings_registered = [] {
    for (const char* workers : {"1", "8"})
        for (const bool list_all : {false, true})
            benchmark::RegisterBenchmark(
                ("folding, AlexNet on " + std::string(workers) + (list_all ? "/a list of all" : "/a list of one"))
                    .c_str(),
                [=](benchmark::State& state) { search_with_folding(state, "alexnet-one-tower", workers, list_all); })
                ->Unit(benchmark::kMillisecond);
    return true;
}();

}  // namespace
