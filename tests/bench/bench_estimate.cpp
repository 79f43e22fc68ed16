// SPDX-License-Identifier: GPL-3.0-or-later
// How long an estimate takes. Targets, on one core: one estimate of Inception v3 with all its parts in 50 µs; a strong
// sweep over every count from 1 to 1024 in 5 ms for each way to divide the work. Beside each sweep a naive one, which
// prepares anew for every point. The steady state of 4,096 asynchronous workers: 100 µs at the knee, where it takes the
// most terms. GPT-3 175B on 1,024 GPUs, 1,160 layers: an estimate and the curves while a hand drags in 30 ms.
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "core/estimate/curves.hpp"
#include "core/estimate/estimate.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/schedule/asynchronous.hpp"
#include "support_choices.hpp"
#include "support_networks.hpp"

namespace {

using namespace scalescope;

constexpr std::int64_t largest = 1024;

const formats::Library& shipped() {
    static const formats::Library library = formats::load_shipped();
    return library;
}
/// The ways of the papers that the program began with: the first four.
std::span<const Way> classic_ways() { return std::span(shipped().catalogue.ways).first(4); }

Scenario inception() {
    static const auto network = support::preset("inception-v3");
    Scenario s = support::scenario(network);
    s.training.batch_rule = BatchRule::total;
    s.training.batch = 65536;
    s.cluster.inside.latency = microseconds(5);
    s.cluster.between.latency = microseconds(20);
    s.cluster.devices_per_node = 4;
    s.model.launch = microseconds(5);
    return s;
}

struct Divided {
    const char* name;
    support::Divided strategy;
    HybridScheme scheme = HybridScheme::all_at_once;
    bool automatic = true;
    Overlap overlap = Overlap::off;
};
constexpr Divided divided[] = {
    {"data", support::Divided::data},
    {"data, buckets", support::Divided::data, HybridScheme::all_at_once, true, Overlap::buckets},
    {"outputs", support::Divided::outputs},
    {"layers", support::Divided::layers},
    {"hybrid, fixed cut, at once", support::Divided::hybrid, HybridScheme::all_at_once, false},
    {"hybrid, fixed cut, one sender", support::Divided::hybrid, HybridScheme::one_sender, false},
    {"hybrid, automatic cut, at once", support::Divided::hybrid, HybridScheme::all_at_once},
    {"hybrid, automatic cut, one sender", support::Divided::hybrid, HybridScheme::one_sender},
    {"hybrid, automatic cut, all share", support::Divided::hybrid, HybridScheme::all_send_share},
    {"hybrid, automatic cut, at once, buckets", support::Divided::hybrid, HybridScheme::all_at_once, true,
     Overlap::buckets},
};

Scenario scenario(const Divided& way) {
    Scenario s = inception();
    support::divide(s.parallelism, way.strategy);
    s.parallelism.scheme = way.scheme;
    s.parallelism.overlap = way.overlap;
    s.parallelism.cut_auto = way.automatic;
    if (!way.automatic) s.parallelism.cut = s.network()->layers()[s.network()->layers().size() - 2].id;
    return s;
}

void estimate_cold(benchmark::State& state, const Divided& way, std::int64_t workers) {
    Scenario s = scenario(way);
    s.cluster.workers = workers;
    s.training.batch = 32 * workers;
    for (auto _ : state) {
        auto e = estimate(s);
        if (!e) throw std::runtime_error("infeasible");
        benchmark::DoNotOptimize(*e);
    }
}

void sweep(benchmark::State& state, const Divided& way) {
    const Scenario s = scenario(way);
    for (auto _ : state) {
        const auto plan = prepare(s);
        Scratch scratch = make_scratch(*plan);
        Point point = plan->point;
        for (point.workers = 1; point.workers <= largest; ++point.workers)
            benchmark::DoNotOptimize(score(*plan, point, scratch));
    }
}

void naive_sweep(benchmark::State& state, const Divided& way) {
    const Scenario s = scenario(way);
    for (auto _ : state) {
        for (std::int64_t n = 1; n <= largest; ++n) {
            const auto plan = prepare(s);
            Scratch scratch = make_scratch(*plan);
            Point point = plan->point;
            point.workers = n;
            benchmark::DoNotOptimize(score(*plan, point, scratch));
        }
    }
}

/// What a drag of a control costs the core: a new plan, the shown estimate, and curves of all ways at about 96 counts.
void drag_step(benchmark::State& state, int layers) {
    Scenario s = support::scenario(support::long_network(layers));
    s.training.batch_rule = BatchRule::total;
    s.training.batch = 4096;
    s.cluster.workers = 24;
    for (auto _ : state) {
        const auto plan = std::make_shared<const Plan>(*prepare(s));
        Scratch scratch = make_scratch(*plan);
        auto specs = curve_specs(s, CurveSet::ways, classic_ways());
        for (const auto& spec : curve_specs(s, CurveSet::schemes, {})) specs.push_back(spec);
        KeptCurves curves;
        benchmark::DoNotOptimize(
            curves.make(s, plan, specs, worker_counts(largest, s.cluster.workers), scratch).data());
        auto e = estimate(s, *plan, scratch);
        if (!e) throw std::runtime_error("infeasible");
        benchmark::DoNotOptimize(*e);
    }
}

Scenario gpt3(ShardingPolicy policy, bool fits) {
    const formats::Preset* preset = shipped().find_scenario("gpt-3-175b-a100");
    Scenario s = formats::read_scenario(preset->text, preset->file, shipped())->scenario;
    s.parallelism.policy = policy;
    s.parallelism.sequence = policy == ShardingPolicy::best;
    if (!fits) {  // all activations of all micro-batches are kept
        s.parallelism.order = PipelineOrder::fill_drain;
        s.parallelism.recompute = Recompute::nothing;
    }
    return s;
}

/// Of an open network: the blocks in the names of its layers, which are recomputed, are found the first time.
void gpt3_cold(benchmark::State& state, ShardingPolicy policy, bool fits) {
    const Scenario s = gpt3(policy, fits);
    for (auto _ : state) benchmark::DoNotOptimize(*estimate(s));
}

/// With a plan, but nothing else known.
void gpt3_estimate(benchmark::State& state, ShardingPolicy policy, bool fits) {
    const Scenario s = gpt3(policy, fits);
    const auto plan = prepare(s);
    for (auto _ : state) {
        Scratch scratch = make_scratch(*plan);
        benchmark::DoNotOptimize(*estimate(s, *plan, scratch));
    }
}

void gpt3_curves(benchmark::State& state, ShardingPolicy policy, bool fits, bool own) {
    const Scenario s = gpt3(policy, fits);
    const auto plan = std::make_shared<const Plan>(*prepare(s));
    const std::vector<CurveSpec> specs =
        own ? std::vector{own_curve(s)} : curve_specs(s, CurveSet::ways, shipped().catalogue.ways);
    for (auto _ : state) {
        Scratch scratch = make_scratch(*plan);
        KeptCurves curves;
        benchmark::DoNotOptimize(
            curves.make(s, plan, specs, worker_counts(largest, s.cluster.workers), scratch).data());
    }
}

void asynchronous_workers(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(asynchronous(4096, Seconds{4.0}, Seconds{0.001}, 1));
}
BENCHMARK(asynchronous_workers)->Name("asynchronous, 4096 workers at the knee")->Unit(benchmark::kMicrosecond);

const bool registered = [] {
    for (const Divided& way : divided)
        benchmark::RegisterBenchmark(("estimate, cold/" + std::string(way.name)).c_str(), estimate_cold, way, 16)
            ->Unit(benchmark::kMicrosecond);
    for (const Divided& way : divided) {
        benchmark::RegisterBenchmark(("sweep 1..1024/" + std::string(way.name)).c_str(), sweep, way)
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(("sweep 1..1024, naive/" + std::string(way.name)).c_str(), naive_sweep, way)
            ->Unit(benchmark::kMillisecond);
    }
    const auto add_gpt3 = [](const std::string& name, ShardingPolicy policy, bool fits) {
        const auto add = [&](const char* what, auto run, auto... more) {
            benchmark::RegisterBenchmark(("GPT-3 175B on 1024/" + name + what).c_str(), run, policy, fits, more...)
                ->Unit(benchmark::kMillisecond);
        };
        add("estimate, cold", gpt3_cold);
        add("estimate from a plan", gpt3_estimate);
        add("own curve", gpt3_curves, true);
        add("curves of all strategies", gpt3_curves, false);
    };
    add_gpt3("", ShardingPolicy::trainer, true);
    add_gpt3("too large, ", ShardingPolicy::trainer, false);
    add_gpt3("best policy, ", ShardingPolicy::best, true);
    for (int layers : {217, 1000})
        benchmark::RegisterBenchmark(("drag step, layers " + std::to_string(layers)).c_str(), drag_step, layers)
            ->Unit(benchmark::kMillisecond);
    return true;
}();

}  // namespace
