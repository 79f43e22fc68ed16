// SPDX-License-Identifier: GPL-3.0-or-later
// What an edit costs before anything is drawn. Target, on one core: a network of 1,000 layers with a fault in its
// middle is looked at in well below 5 ms, which leaves a frame's time for everything else.
#include <benchmark/benchmark.h>

#include "core/network/editing/edit.hpp"
#include "core/network/editing/fixes.hpp"
#include "core/network/sketch.hpp"
#include "support_networks.hpp"

namespace {

using namespace scalescope;

NetworkDraft drawn() { return support::long_network(1000)->draft(); }

/// With a shape in its middle that a sum does not take.
NetworkDraft faulty() {
    NetworkDraft draft = drawn();
    const std::size_t middle = draft.layers.size() / 2;
    for (std::size_t i = middle; i < draft.layers.size(); ++i) {
        const std::vector<LayerId> one{draft.layers[i].id};
        if (draft.layers[i].kind->name != "convolution") continue;
        auto edit = editing::set_attribute(draft, one, "filters", std::int64_t{7});
        if (edit && !Sketch(edit->draft).faults.empty()) return edit->draft;
    }
    return draft;
}

void sketch(benchmark::State& state) {
    const NetworkDraft draft = drawn();
    for (auto _ : state) benchmark::DoNotOptimize(Sketch(draft).faults.size());
}
BENCHMARK(sketch)->Unit(benchmark::kMillisecond);

void sketch_with_a_fault(benchmark::State& state) {
    const NetworkDraft draft = faulty();
    for (auto _ : state) benchmark::DoNotOptimize(Sketch(draft).faults.size());
    state.counters["faults"] = static_cast<double>(Sketch(draft).faults.size());
}
BENCHMARK(sketch_with_a_fault)->Unit(benchmark::kMillisecond);

void insert_behind(benchmark::State& state) {
    const NetworkDraft draft = drawn();
    const std::vector<LayerId> source{draft.layers[draft.layers.size() / 2].id};
    for (auto _ : state)
        benchmark::DoNotOptimize(editing::insert_behind(draft, *find_kind("batch_norm"), source)->draft.layers.size());
}
BENCHMARK(insert_behind)->Unit(benchmark::kMillisecond);

void fixes(benchmark::State& state) {
    const NetworkDraft draft = faulty();
    const Sketch s(draft);
    std::size_t offered = 0;
    for (auto _ : state) offered = s.faults.empty() ? 0 : editing::fixes_of(draft, s, s.faults.front()).size();
    state.counters["fixes"] = static_cast<double>(offered);
}
BENCHMARK(fixes)->Unit(benchmark::kMillisecond);

}  // namespace
