// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluations of the cost of a fit, on one core: 192 runs, 10 constants, the data of tests/data/fit/g1. Target: at
// least ten times what scipy's differential evolution does on vectors of numpy, 10 to 25 thousand a second. Beside it a
// naive one, with a structure per run and std::pow per term.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>

#include "core/measure/fit/forms.hpp"
#include "core/measure/fit/optimizers.hpp"
#include "core/measure/fit/random.hpp"

namespace {

using namespace scalescope::measure;

struct NaiveRun {
    double filters, kernel_size, image_side, workers, batch_size, chunks, seconds;
};

double naive_time(const NaiveRun& run, const std::vector<double>& theta) {
    return (theta[0] * std::pow(run.filters, theta[1]) + theta[2] * std::pow(run.kernel_size, theta[3]) +
            theta[4] * std::pow(run.image_side, theta[5])) *
               std::pow(run.workers, theta[6]) * std::pow(run.batch_size, theta[7]) * std::pow(run.chunks, theta[8]) +
           theta[9];
}

const std::vector<double> truth{0.8, 0.9, 1.5, 1.6, 0.05, 1.7, -0.78, -0.35, 0.12, 4.0};

/// The grid of g1 with runs drawn from it, as many as are fitted there.
std::vector<NaiveRun> naive_runs() {
    constexpr std::array filters{8.0, 16.0, 32.0, 64.0, 128.0}, batches{32.0, 64.0, 128.0, 256.0, 512.0},
        workers{1.0, 2.0, 4.0, 8.0, 16.0};
    constexpr std::array kernels{2.0, 3.0, 5.0, 7.0}, sides{28.0, 32.0, 64.0, 96.0}, chunks{1.0, 2.0, 4.0, 8.0};
    Draws draws(20150815);
    std::vector<NaiveRun> runs(192);
    for (auto& run : runs) {
        run = {filters[draws.below(5)],
               kernels[draws.below(4)],
               sides[draws.below(4)],
               workers[draws.below(5)],
               batches[draws.below(5)],
               chunks[draws.below(4)],
               0.0};
        run.seconds = naive_time(run, truth);
    }
    return runs;
}

struct Bound {
    Runs runs;
    std::unique_ptr<Form> form;
    std::unique_ptr<Evaluator> evaluator;

    explicit Bound(const std::vector<NaiveRun>& naive) {
        const auto add = [&](const char* name, double NaiveRun::*member) {
            RunColumn& column = runs.columns.emplace_back();
            column.name = name;
            column.kind = ColumnKind::numbers;
            for (const auto& run : naive) {
                column.numbers.push_back(run.*member);
                column.words.emplace_back();
            }
        };
        add("filters", &NaiveRun::filters);
        add("kernel_size", &NaiveRun::kernel_size);
        add("image_side", &NaiveRun::image_side);
        add("workers", &NaiveRun::workers);
        add("batch_size", &NaiveRun::batch_size);
        add("chunks", &NaiveRun::chunks);
        for (const auto& run : naive) runs.seconds.push_back(run.seconds);
        runs.held_out.assign(naive.size(), false);
        runs.lines.assign(naive.size(), 0);
        FormChoice choice;
        choice.intrinsic = {"filters", "kernel_size", "image_side"};
        choice.extrinsic = {"workers", "batch_size", "chunks"};
        choice.normalized = false;
        form = make_form(choice, runs).value();
        evaluator = form->bind(runs).value();
    }
    Objective objective() const { return {*evaluator, form->constants(), runs.seconds, {}}; }
};

void fit_cost(benchmark::State& state) {
    const Bound bound(naive_runs());
    const auto objective = bound.objective();
    Workspace space;
    auto theta = truth;
    for (auto _ : state) {
        theta[1] += 1e-9;  // never twice the same
        benchmark::DoNotOptimize(objective.cost(theta, space));
    }
    state.counters["evaluations/s"] =
        benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(fit_cost);

void fit_cost_naive(benchmark::State& state) {
    const auto runs = naive_runs();
    auto theta = truth;
    for (auto _ : state) {
        theta[1] += 1e-9;
        double sum = 0.0;
        for (const auto& run : runs) {
            const double r = (naive_time(run, theta) - run.seconds) / run.seconds;
            sum += r * r;
        }
        benchmark::DoNotOptimize(sum / static_cast<double>(runs.size()));
    }
    state.counters["evaluations/s"] =
        benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(fit_cost_naive);

/// All of differential evolution, random numbers and selection too: 100 generations of 150.
void fit_evolution(benchmark::State& state) {
    const Bound bound(naive_runs());
    const auto objective = bound.objective();
    EvolutionOptions options;
    options.most_generations = 100;
    options.polish = false;
    std::size_t evaluations = 0;
    for (auto _ : state) evaluations += evolve(objective, options).evaluations;
    state.counters["evaluations/s"] = benchmark::Counter(static_cast<double>(evaluations), benchmark::Counter::kIsRate);
}
BENCHMARK(fit_evolution)->Unit(benchmark::kMillisecond);

void fit_multistart(benchmark::State& state) {
    const Bound bound(naive_runs());
    const auto objective = bound.objective();
    for (auto _ : state) benchmark::DoNotOptimize(multistart(objective, {}).cost);
}
BENCHMARK(fit_multistart)->Unit(benchmark::kMillisecond);

}  // namespace
