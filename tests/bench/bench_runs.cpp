// SPDX-License-Identifier: GPL-3.0-or-later
// A cell of a table of runs is edited: what follows from it alone, against writing and importing the table anew.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "core/measure/runs/live_runs.hpp"

using namespace scalescope;
using namespace scalescope::measure;

namespace {

std::shared_ptr<const RunSheet> bench_sheet(std::int64_t rows) {
    std::string text = "network,device,filters,kernel_size,image_side,workers,batch_size,time_s\n";
    for (std::int64_t i = 0; i < rows; ++i)
        text += (i % 3 == 0 ? "alexnet,k80," : "vgg16,v100,") + std::to_string(16 << (i % 4)) + "," +
                std::to_string(1 + 2 * (i % 3)) + "," + std::to_string(32 + i % 7) + "," +
                std::to_string(1 << (i % 5)) + ",64," + std::to_string(0.1 + 1e-5 * static_cast<double>(i)) + "\n";
    return std::make_shared<RunSheet>(*formats::parse_csv(text, "bench.csv"));
}

std::shared_ptr<const RunSheet> edited(const std::shared_ptr<const RunSheet>& sheet, std::size_t step) {
    auto next = std::make_shared<RunSheet>(*sheet);
    next->set_cell(step * 7919 % next->rows(), 2, std::to_string(8 + step % 100));
    return next;
}

void edit_live(benchmark::State& state) {
    auto sheet = bench_sheet(state.range(0));
    LiveRuns live;
    live.update(sheet, {}, {}, "bench.csv");
    sheet = edited(sheet, 0);
    live.update(sheet, {}, {}, "bench.csv");  // the first edit looks for copies
    std::size_t step = 1;
    for (auto _ : state) {
        sheet = edited(sheet, step++);
        live.update(sheet, {}, {}, "bench.csv");
        benchmark::DoNotOptimize(live.imported());
    }
}
BENCHMARK(edit_live)->Arg(1000)->Arg(20000)->Unit(benchmark::kMicrosecond);

void edit_naive(benchmark::State& state) {
    auto sheet = bench_sheet(state.range(0));
    std::size_t step = 1;
    for (auto _ : state) {
        sheet = edited(sheet, step++);
        benchmark::DoNotOptimize(import_runs(sheet->to_csv(), "bench.csv"));
    }
}
BENCHMARK(edit_naive)->Arg(1000)->Arg(20000)->Unit(benchmark::kMicrosecond);

}  // namespace
