// SPDX-License-Identifier: GPL-3.0-or-later
// From the event of a control to the painted frame.
#include <algorithm>
#include <vector>

#include "benches.hpp"
#include "stage.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"

namespace window_bench {
namespace {

/// `step` does event number i; it must change the scenario each time.
void frames(benchmark::State& state, Stage& stage, const std::function<void(int)>& step) {
    std::vector<double> all, worked, elsewhere, computed;
    int i = 0;
    for (int warm = 0; warm < 10; ++warm) stage.frame([&] { step(i++); });
    for (auto _ : state) {
        const Stage::Frame frame = stage.frame([&] { step(i++); });
        state.SetIterationTime(frame.all / 1e3);
        all.push_back(frame.all);
        worked.push_back(frame.worked);
        elsewhere.push_back(frame.elsewhere);
        computed.push_back(stage.window.presenter().computed_ms());
    }
    state.counters["p50_ms"] = percentile(all, 0.5);
    state.counters["p95_ms"] = percentile(all, 0.95);
    state.counters["computed_p50_ms"] = percentile(computed, 0.5);
    state.counters["computed_p95_ms"] = percentile(computed, 0.95);
    state.counters["painter_worked_p50_ms"] = percentile(worked, 0.5);
    state.counters["painter_worked_p95_ms"] = percentile(worked, 0.95);
    state.counters["others_worked_p50_ms"] = percentile(elsewhere, 0.5);
    state.counters["others_worked_p95_ms"] = percentile(elsewhere, 0.95);
    state.counters["load"] = load();
}

}  // namespace

void drag_workers(benchmark::State& state, Stage& stage) {
    auto& slider = stage.find<WorkerSlider>("workersSlider");
    // Between 32 and 600, or a sixteenth of those that are open and all of them, in steps of 5 px.
    const double open = static_cast<double>(stage.window.document().scenario().cluster.workers);
    const double low = slider.x_of(std::max(32, static_cast<int>(open / 16)));
    const double high = slider.x_of(std::max(600, static_cast<int>(open)));
    press(slider);
    frames(state, stage,
           [&](int i) { drag_to(slider, low + 5.0 * to_and_fro(i, 0, static_cast<int>((high - low) / 5))); });
}

namespace {

void workers(benchmark::State& state, const Scenario& design) {
    Stage stage(design);
    drag_workers(state, stage);
}

/// Four pinned designs, each in every chart.
void workers_with_pins(benchmark::State& state, const Scenario& design) {
    Stage stage(design);
    Document& document = stage.window.document();
    for (const std::int64_t share : {8, 4, 2, 1}) {
        Scenario s = design;
        s.cluster.workers = std::max<std::int64_t>(16, design.cluster.workers / share);
        document.edit(std::move(s));
        stage.settle();
        document.pin();
        stage.settle();
    }
    drag_workers(state, stage);
}

void percent_of_peak(benchmark::State& state, const Scenario& design) {
    Stage stage(design);
    auto& slider = *stage.find<PercentField>("percentCompute").slider();
    press(slider);
    frames(state, stage, [&](int i) { drag_to(slider, slider.x_of(to_and_fro(i, 20, 90))); });
}

void batch(benchmark::State& state, const Scenario& design) {
    Stage stage(design);
    auto& field = stage.find<NumberField>("batch");
    frames(state, stage, [&](int i) { key(field, i % 12 < 6 ? Qt::Key_PageDown : Qt::Key_PageUp); });
}

/// A degree of the mesh that divides further and back.
void degree(benchmark::State& state, const Scenario& design, const char* axis) {
    Stage stage(design);
    auto& field = stage.find<NumberField>(axis);
    frames(state, stage, [&](int i) { key(field, i % 4 < 2 ? Qt::Key_Down : Qt::Key_Up); });
}

void cut(benchmark::State& state) {
    Stage stage(of_1000_layers(support::Divided::hybrid));
    auto& combo = stage.find<Combo>("cut");
    key(combo, Qt::Key_End);
    stage.settle();
    frames(state, stage, [&](int i) { key(combo, i % 160 < 80 ? Qt::Key_Up : Qt::Key_Down); });
}

void bandwidth(benchmark::State& state, const Scenario& design) {
    Stage stage(design);
    frames(state, stage, [&](int i) {  // what the editor of a link does for each valid text
        Scenario s = stage.window.document().scenario();
        s.cluster.between.bandwidth = gigabits_per_second(10 + to_and_fro(i, 1, 90));
        stage.window.document().edit(std::move(s));
    });
}

}  // namespace

void add_frames(int count) {
    struct Design {
        const char* name;
        Scenario (*make)();
    };
    const Design designs[] = {
        {"1000 layers", data_parallel}, {"GPT-3, 1024", gpt_3}, {"Llama 405B, 16384", llama_405b}};
    struct Control {
        const char* name;
        void (*frames)(benchmark::State&, const Scenario&);
        bool meshes = false;  ///< only designs with a mesh have it
    };
    const Control controls[] = {
        {"workers", workers},
        {"workers, four pins", workers_with_pins},
        {"batch", batch},
        {"bandwidth", bandwidth},
        {"percent of peak", percent_of_peak},
        {"tensor degree", [](benchmark::State& s, const Scenario& d) { degree(s, d, "tensor"); }, true},
        {"pipeline degree", [](benchmark::State& s, const Scenario& d) { degree(s, d, "pipeline"); }, true}};
    for (const Design& d : designs)
        for (const Control& c : controls)
            if (!c.meshes || d.make != data_parallel)
                add(
                    std::string("frame, ") + d.name + '/' + c.name,
                    [make = d.make, frames = c.frames](benchmark::State& state) { frames(state, make()); }, count);
    add("frame, 1000 layers/cut", cut, count);
}

}  // namespace window_bench
