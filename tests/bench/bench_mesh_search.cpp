// SPDX-License-Identifier: GPL-3.0-or-later
// Meshes of large transformers. Targets: a million configurations a second on one core where their pieces are known,
// and a search of everything in 5 s on two: tensor × pipeline × context × micro-batches × chunks × order × sharded
// states × recomputation for GPT 22B on 8 GPUs, 175B on 64 and on 512, as large as the spaces that Calculon enumerates
// (0.3, 2.4 and 5.3 million).
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "core/formats/scenario_json.hpp"
#include "core/search/walker.hpp"
#include "support_search_bench.hpp"

using namespace scalescope;
using namespace scalescope::search;

namespace {

struct MeshCase {
    const char* name;
    bool small;  ///< 22B, otherwise 175B
    std::int64_t workers, batch;
    const char *degrees, *micro_batches, *chunks;
};
constexpr MeshCase mesh_cases[] = {{"GPT 22B on 8", true, 8, 64, "1..8*2", "1..512*2", "1..10"},
                                   {"GPT-3 175B on 64", false, 64, 512, "1..64*2", "1..512*2", "1..15"},
                                   {"GPT-3 175B on 512", false, 512, 1024, "1..512*2", "1..512*2", "1..11"}};

std::shared_ptr<const Network> gpt_22b() {
    auto network = formats::read_any_network(
        R"({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 51200, "n_positions": 2048,
            "n_embd": 6144, "n_layer": 48, "n_head": 64, "activation_function": "gelu_new"})",
        "gpt-22b.json");
    if (!network) throw std::runtime_error("no network");
    return *network;
}

Space mesh_space(const MeshCase& c) {
    const formats::Preset* preset = bench::library().find_scenario("gpt-3-175b-a100");
    Scenario s = formats::read_scenario(preset->text, preset->file, bench::library())->scenario;
    if (c.small) s = with_network(std::move(s), gpt_22b());
    s.cluster.workers = c.workers;
    s.training.batch = c.batch;
    return bench::space(
        s,
        {bench::axis(s, "parallelism.tensor", c.degrees), bench::axis(s, "parallelism.pipeline", c.degrees),
         bench::axis(s, "parallelism.context", c.degrees), bench::axis(s, "parallelism.recompute", "*"),
         bench::axis(s, "parallelism.micro_batches", c.micro_batches), bench::axis(s, "parallelism.chunks", c.chunks),
         bench::axis(s, "parallelism.order", "*"), bench::axis(s, "parallelism.sharded", "*")});
}

/// Feasible points of a space with stages, evenly spread.
std::vector<Point> mesh_points(const Space& space, std::size_t most) {
    Walker walker(space);
    std::vector<Point> points;
    if (!walker.go(0)) throw std::runtime_error("no plan");
    Scratch scratch = make_scratch(walker.plan());
    for (std::uint64_t place = 0; place < space.size() && points.size() < most; place += space.size() / most / 17 + 1)
        if (walker.go(place) && walker.point() && score(walker.plan(), *walker.point(), scratch).feasible())
            points.push_back(*walker.point());
    return points;
}

void score_known_pieces(benchmark::State& state, const MeshCase& c) {
    const Space space = mesh_space(c);
    const auto points = mesh_points(space, 4096);
    const Plan plan = *prepare(space.base());
    Scratch scratch = make_scratch(plan);
    for (const Point& p : points) score(plan, p, scratch);
    for (auto _ : state)
        for (const Point& p : points) benchmark::DoNotOptimize(score(plan, p, scratch));
    state.counters["points"] = static_cast<double>(points.size());
    state.counters["points/s"] =
        benchmark::Counter(static_cast<double>(points.size()), benchmark::Counter::kIsIterationInvariantRate);
}

void score_new_plans(benchmark::State& state, const MeshCase& c) {
    const Space space = mesh_space(c);
    const auto points = mesh_points(space, 4096);
    Scenario s = space.base();
    std::size_t next = 0;
    for (auto _ : state) {
        const Point& p = points[next = (next + 619) % points.size()];
        Parallelism& of = s.parallelism;
        of.degrees_given() = p;
        of.micro_batches = p.micro_batches, of.chunks = p.chunks, of.order = p.order;
        of.sharded = p.sharded, of.recompute = p.recompute;
        const auto plan = prepare(s);
        Scratch scratch = make_scratch(*plan);
        benchmark::DoNotOptimize(score(*plan, plan->point, scratch));
    }
    state.counters["points/s"] = benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate);
}

const bool meshes_registered = [] {
    for (const MeshCase& c : mesh_cases) {
        const std::string name = c.name;
        benchmark::RegisterBenchmark(("mesh, " + name + "/known pieces").c_str(), score_known_pieces, c)
            ->Unit(benchmark::kMicrosecond);
        benchmark::RegisterBenchmark(("mesh, " + name + "/a new plan each").c_str(), score_new_plans, c)
            ->Unit(benchmark::kMicrosecond);
        benchmark::RegisterBenchmark(("search of meshes, " + name + ", two threads").c_str(),
                                     [c](benchmark::State& state) {
                                         Question q;
                                         q.objectives = {Metric::step};
                                         bench::search_all(state, mesh_space(c), q, 2);
                                     })
            ->Unit(benchmark::kSecond)
            ->Iterations(1)
            ->UseRealTime();
    }
    return true;
}();

}  // namespace
