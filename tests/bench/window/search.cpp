// SPDX-License-Identifier: GPL-3.0-or-later
// The window while a search runs.
#include <QTimer>
#include <stdexcept>
#include <vector>

#include "benches.hpp"
#include "stage.hpp"
#include "support_networks.hpp"
#include "ui/search/search_window.hpp"

namespace window_bench {
namespace {

/// A search that outlasts what is measured, on all cores but one, with its window open beside.
class Searching {
public:
    explicit Searching(Stage& stage) : stage_(stage), document_(stage.window.finder().document()) {
        stage.window.finder().show();
        search::Asked asked;
        asked.vary = {{"cluster.workers", "1..1024"},
                      {"training.batch", "1024..21024"},
                      {"parallelism.fill", "data,tensor"},
                      {"parallelism.segments", "*"}};
        document_.set_asked(asked);
        if (!document_.size().problems.empty()) support::stop(document_.size().problems);
        document_.start();
        if (!document_.running()) throw std::runtime_error("the search does not start");
    }
    ~Searching() {
        document_.stop();
        while (document_.running()) QCoreApplication::processEvents();
    }
    void still_runs() const {
        if (!document_.running()) throw std::runtime_error("the search ended before the measurement");
    }
    double combinations() const { return static_cast<double>(document_.size().combinations); }

private:
    Stage& stage_;
    SearchDocument& document_;
};

/// The drag of workers above, with a search beside it.
void workers_during_a_search(benchmark::State& state) {
    Stage stage(data_parallel());
    const Searching search(stage);
    drag_workers(state, stage);
    search.still_runs();
    state.counters["space"] = search.combinations();
}

/// How long the window cannot answer a hand: from one turn of its event loop to the next, asked for each millisecond
/// while its progress is painted.
void pauses_during_a_search(benchmark::State& state) {
    Stage stage(data_parallel());
    const Searching search(stage);
    std::vector<double> pauses;
    QTimer beat;
    beat.setTimerType(Qt::PreciseTimer);
    double last = now_ms();
    QObject::connect(&beat, &QTimer::timeout, [&] {
        const double now = now_ms();
        pauses.push_back(now - last);
        last = now;
    });
    for (auto _ : state) {
        const double begin = now_ms();
        pauses.clear();
        last = begin;
        beat.start(1);
        while (now_ms() - begin < 5000) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        beat.stop();
        state.SetIterationTime(percentile(pauses, 1) / 1e3);
    }
    search.still_runs();
    state.counters["turns"] = static_cast<double>(pauses.size());
    state.counters["p50_ms"] = percentile(pauses, 0.5);
    state.counters["p95_ms"] = percentile(pauses, 0.95);
    state.counters["longest_ms"] = percentile(pauses, 1);
    state.counters["load"] = load();
}

}  // namespace

void add_searches(int count) {
    add("during a search/frame, 1000 layers, workers", workers_during_a_search, count);
    add("during a search/pauses of the window in 5 s", pauses_during_a_search, 1);
}

}  // namespace window_bench
