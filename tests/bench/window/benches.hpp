// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <benchmark/benchmark.h>

#include <string>

/// What is measured, by subject. Each adds its benchmarks in the order in which they run.
namespace window_bench {

class Stage;

void add_frames(int count);
void add_searches(int count);
void add_pans(int count);
void add_start_and_memory();
/// The program itself, in a process of its own: ends when its charts are painted, and prints how long that took since
/// `started_ms` of the clock.
int run_start(double started_ms, char** argv);

/// A drag of the workers' slider to and fro, frame by frame.
void drag_workers(benchmark::State& state, Stage& stage);

template <class Function>
void add(const std::string& name, const Function& function, int iterations) {
    benchmark::RegisterBenchmark(name.c_str(), function)
        ->Iterations(iterations)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

}  // namespace window_bench
