// SPDX-License-Identifier: GPL-3.0-or-later
// The start, and the memory that the program holds.
#include <QApplication>
#include <QFile>
#include <QProcess>
#include <QTimer>
#include <cstdio>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "benches.hpp"
#include "stage.hpp"
#include "ui/window/run_window.hpp"

namespace window_bench {
namespace {

constexpr int starts = 20;

double memory_mb(const char* field) {
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly)) return 0;
    for (const QByteArray& line : status.readAll().split('\n'))
        if (line.startsWith(field)) return line.simplified().split(' ').value(1).toDouble() * 1024 / 1e6;
    return 0;
}

double started_ms = 0;  // the clock of whoever started this process, just before

/// In a process of its own: the program itself, which ends when its charts are painted.
class FirstFrame : public QObject {
    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() == QEvent::Paint && object->inherits("QCustomPlot")) seen_.insert(object);
        if (seen_.size() == 3 && !std::exchange(told_, true))
            QTimer::singleShot(0, [] {
                std::printf("%.3f %.3f %.3f\n", now_ms() - started_ms, memory_mb("VmRSS:"), memory_mb("RssAnon:"));
                std::fflush(stdout);
                QCoreApplication::exit();
            });
        return false;
    }
    std::set<QObject*> seen_;
    bool told_ = false;
};

void watch_first_frame() {
    if (started_ms > 0) qApp->installEventFilter(new FirstFrame);
}
Q_COREAPP_STARTUP_FUNCTION(watch_first_frame)

void start(benchmark::State& state) {
    std::vector<double> all, resident, own;
    for (auto _ : state) {
        QProcess process;
        process.start(QCoreApplication::applicationFilePath(),
                      {QStringLiteral("--start"), QString::number(now_ms(), 'f', 3)});
        if (!process.waitForFinished()) throw std::runtime_error("the program does not start");
        const auto words = process.readAllStandardOutput().trimmed().split(' ');
        all.push_back(words.value(0).toDouble());
        resident.push_back(words.value(1).toDouble());
        own.push_back(words.value(2).toDouble());
        state.SetIterationTime(all.back() / 1e3);
    }
    state.counters["p50_ms"] = percentile(all, 0.5);
    state.counters["p95_ms"] = percentile(all, 0.95);
    state.counters["resident_MB"] = percentile(resident, 0.95);
    state.counters["of_it_own_MB"] = percentile(own, 0.95);
}

void memory_after_an_hour_of_dragging(benchmark::State& state) {
    Stage stage(data_parallel());
    auto& slider = stage.find<WorkerSlider>("workersSlider");
    const double low = slider.x_of(32), high = slider.x_of(600);
    press(slider);
    for (auto _ : state)
        for (int i = 0; i < 1000; ++i) {
            drag_to(slider, low + 5.0 * to_and_fro(i, 0, static_cast<int>((high - low) / 5)));
            stage.settle();
        }
    state.counters["resident_MB"] = memory_mb("VmRSS:");
    state.counters["of_it_own_MB"] = memory_mb("RssAnon:");
}

}  // namespace

int run_start(double started, char** argv) {
    started_ms = started;
    return run_window(1, argv);
}

void add_start_and_memory() {
    add("start to first painted charts", start, starts);
    benchmark::RegisterBenchmark("memory after 1000 frames", memory_after_an_hour_of_dragging)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
}

}  // namespace window_bench
