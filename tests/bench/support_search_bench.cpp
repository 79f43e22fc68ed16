// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_search_bench.hpp"

#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::search;

namespace bench {

const formats::Library& library() {
    static const formats::Library all = formats::load_shipped();
    return all;
}

Axis axis(const Scenario& base, const char* path, const char* values) {
    auto read = read_axis(path, find_field(path), values, base, library().catalogue);
    if (!read) support::stop(read.error());
    return std::move(*read);
}

Space space(const Scenario& base, std::vector<Axis> axes) {
    auto made = Space::make(base, std::move(axes), [](Scenario& s, const std::string& path, const std::string& value) {
        return set_field(s, path, value, library().catalogue);
    });
    if (!made) support::stop(made.error());
    return std::move(*made);
}

void search_all(benchmark::State& state, const Space& space, const Question& question, unsigned threads) {
    SearchResult last;
    double scored = 0;
    for (auto _ : state) {
        last = *search::search(space, question, threads);
        scored += static_cast<double>(last.counts.scored);
    }
    state.counters["space"] = static_cast<double>(space.size());
    state.counters["scored"] = static_cast<double>(last.counts.scored);
    state.counters["pruned"] = static_cast<double>(last.counts.pruned);
    state.counters["outpaced"] = static_cast<double>(last.counts.outpaced);
    state.counters["too large"] = static_cast<double>(last.counts.too_large);
    state.counters["repeated"] = static_cast<double>(last.counts.repeated);
    state.counters["unfit"] = static_cast<double>(last.counts.unfit);
    state.counters["infeasible"] = static_cast<double>(last.counts.infeasible);
    state.counters["scored/s"] = benchmark::Counter(scored, benchmark::Counter::kIsRate);
}

void search_naively(benchmark::State& state, const Space& space) {
    std::uint64_t index = 0;
    double scored = 0;
    for (auto _ : state) {
        index = (index + 7919) % space.size();
        if (const auto s = space.scenario(index)) scored += estimate(*s).has_value();
    }
    state.counters["scored/s"] = benchmark::Counter(scored, benchmark::Counter::kIsRate);
}

}  // namespace bench
