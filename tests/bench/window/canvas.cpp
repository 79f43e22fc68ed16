// SPDX-License-Identifier: GPL-3.0-or-later
// Pans of the canvas.
#include <QAction>
#include <QScrollBar>
#include <algorithm>
#include <vector>

#include "benches.hpp"
#include "stage.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"

namespace window_bench {
namespace {

/// A pan by some pixels, painted, with everything unfolded: `zoom` 0 has all of the network in sight.
void pan(benchmark::State& state, double zoom) {
    Stage stage(data_parallel());
    for (QAction* action : stage.window.findChildren<QAction*>())
        if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_G)) action->trigger();
    stage.settle();
    auto& view = stage.find<CanvasView>("canvasView");
    auto& scene = dynamic_cast<CanvasScene&>(*view.scene());
    scene.unfold_all();
    const QRectF page = scene.sceneRect();
    view.set_zoom(
        zoom > 0 ? zoom : std::min(view.viewport()->width() / page.width(), view.viewport()->height() / page.height()));
    view.centerOn(page.center());
    stage.settle();
    state.counters["boxes"] = static_cast<double>(scene.boxes().size());
    std::vector<double> all;
    int i = 0;
    for (auto _ : state) {
        const double start = now_ms();
        view.verticalScrollBar()->setValue(view.verticalScrollBar()->value() + (i++ % 40 < 20 ? 13 : -13));
        view.viewport()->repaint();
        all.push_back(now_ms() - start);
        state.SetIterationTime(all.back() / 1e3);
        QCoreApplication::processEvents();
    }
    state.counters["p50_ms"] = percentile(all, 0.5);
    state.counters["p95_ms"] = percentile(all, 0.95);
    state.counters["load"] = load();
}

void pan_at_full_size(benchmark::State& state) { pan(state, 1); }
void pan_with_all_in_sight(benchmark::State& state) { pan(state, 0); }
void pan_at_the_least_readable_size(benchmark::State& state) { pan(state, 0.41); }

}  // namespace

void add_pans(int count) {
    add("pan, 1000 layers/full size", pan_at_full_size, count);
    add("pan, 1000 layers/all in sight", pan_with_all_in_sight, count);
    add("pan, 1000 layers/least readable size", pan_at_the_least_readable_size, count);
}

}  // namespace window_bench
