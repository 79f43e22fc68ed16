// SPDX-License-Identifier: GPL-3.0-or-later
// Speed as a hand feels it: from the event of a control to the painted frame in which every visible chart shows the
// answer, in a window of 1280 × 800: on a network of 1,000 layers, on GPT-3 on 1,024 devices and on Llama 3 405B on
// 16,384. Target: 12 ms for 95 of 100 frames. QT_SCALE_FACTOR=2 measures a fine screen. Then the start, from the
// process's first moment to the first painted charts (target 0.2 s), and the memory it holds then (target 120 MB).
// Beside what passes on the clock stands what the painting thread and all others work: other programs on the machine
// stretch the first, hardly the second. --frames=N measures N frames of each kind.
#include <benchmark/benchmark.h>
#include <time.h>

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QProcess>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/charts/chart.hpp"
#include "ui/search/search_window.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/slider.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/run_window.hpp"

namespace {

using namespace scalescope;
using namespace scalescope::ui;

constexpr int layers = 1000, starts = 20;
int steps = 240;

double clock_ms(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

double now_ms() { return clock_ms(CLOCK_MONOTONIC); }
/// What this thread, the one that paints, has worked.
double worked_ms() { return clock_ms(CLOCK_THREAD_CPUTIME_ID); }
/// What all others have: the one that computes, and the one that keeps the session.
double worked_elsewhere_ms() { return clock_ms(CLOCK_PROCESS_CPUTIME_ID) - worked_ms(); }
/// How many programs wanted a core, on average over the last minute.
double load() {
    double average[1] = {0};
    return getloadavg(average, 1) == 1 ? average[0] : std::numeric_limits<double>::quiet_NaN();
}

/// Knows which charts were painted: the surface inside each chart is a QCustomPlot, its first child of that name.
class Painted : public QObject {
public:
    void watch(Chart& chart) {
        for (QWidget* child : chart.findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
            if (child->inherits("QCustomPlot")) {
                child->installEventFilter(this);
                all_.push_back(child);
            }
    }
    void forget() { done_.clear(); }
    /// Whether any was painted since the last call.
    bool take_new() { return std::exchange(new_, false); }
    /// Of those that are on show: a design that does not fit shows others.
    bool all() const {
        return std::all_of(all_.begin(), all_.end(),
                           [&](QWidget* plot) { return !plot->isVisible() || done_.contains(plot); });
    }
    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() == QEvent::Paint) done_.insert(object), new_ = true;
        return false;
    }

private:
    std::vector<QWidget*> all_;
    std::set<QObject*> done_;
    bool new_ = false;
};

Scenario of_1000_layers(support::Divided way) {
    Scenario s = support::scenario(support::long_network(layers));
    s.training.batch_rule = BatchRule::total;
    s.training.batch = 65536;
    s.cluster.workers = 24;
    s.cluster.devices_per_node = 4;
    s.cluster.inside.latency = microseconds(5);
    s.cluster.between.latency = microseconds(20);
    support::divide(s.parallelism, way);
    return s;
}

Scenario data_parallel() { return of_1000_layers(support::Divided::data); }
Scenario gpt_3() { return support::preset_scenario("gpt-3-175b-a100"); }
Scenario llama_405b() {
    Scenario s = support::preset_scenario("llama-3-405b-h100");
    s.cluster.workers = 16'384;
    return s;
}

/// The window on a design, with the answer to its last event painted.
class Stage {
public:
    explicit Stage(Scenario design) : window(folder_.filePath(QStringLiteral("sessions"))) {
        window.start();
        window.document().edit(std::move(design));
        window.resize(1280, 800);
        window.QWidget::show();
        for (const auto& [name, chart] : window.charts()) painted_.watch(*chart);
        QObject::connect(&window, &MainWindow::updated, &window, [this] {
            answered_ = true;
            painted_.forget();
        });
        watchdog_.setSingleShot(true);
        settle();
    }

    template <class W>
    W& find(const char* name) {
        auto* widget = window.findChild<W*>(QLatin1String(name));
        if (!widget) throw std::runtime_error(name);
        return *widget;
    }

    /// Whether an event changes the design; some places of a slider do not: a magnet holds it.
    bool changes(const std::function<void()>& event) {
        const Scenario before = window.document().scenario();
        event();
        return !(window.document().scenario() == before);
    }

    struct Frame {
        double all;        ///< ms that a person waits
        double worked;     ///< ms of it that the painting thread works
        double elsewhere;  ///< ms that the other threads work
    };
    /// Sends events until one changes the design, and waits for the frame.
    Frame frame(const std::function<void()>& event) {
        answered_ = false;
        double start = 0, worked = 0, elsewhere = 0;
        bool changed = false;
        for (int tries = 0; tries < 200 && !changed; ++tries) {
            painted_.forget();
            start = now_ms(), worked = worked_ms(), elsewhere = worked_elsewhere_ms();
            changed = changes(event);
        }
        if (!changed) qFatal("the event changes nothing");
        const auto past = [&] {
            return Frame{now_ms() - start, worked_ms() - worked, worked_elsewhere_ms() - elsewhere};
        };
        watchdog_.start(10000);
        while (!answered_) {
            QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
            if (!watchdog_.isActive()) qFatal("no answer came");
        }
        // Charts that stay as they are need no paint: the frame is whole when nothing more is to be done.
        Frame frame = past();
        for (int turns = 0; turns < 3 && !painted_.all(); ++turns)
            if (QCoreApplication::processEvents(), painted_.take_new()) frame = past(), turns = 0;
        settle();
        return frame;
    }

    /// Lets everything queued happen.
    void settle() {
        window.finish_answers();
        for (int i = 0; i < 20; ++i) QCoreApplication::processEvents();
    }

private:
    QTemporaryDir folder_;

public:
    MainWindow window;

private:
    Painted painted_;
    QTimer watchdog_;
    bool answered_ = false;
};

double percentile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

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

void drag_to(Slider& slider, double x) {
    const QPointF at(x, 14);
    QMouseEvent move(QEvent::MouseMove, at, slider.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&slider, &move);
}

void press(Slider& slider) {
    const QPointF at(slider.x_of(slider.value()), 14);
    QMouseEvent event(QEvent::MouseButtonPress, at, slider.mapToGlobal(at), Qt::LeftButton, Qt::LeftButton,
                      Qt::NoModifier);
    QApplication::sendEvent(&slider, &event);
}

void key(QWidget& widget, int which) {
    QKeyEvent event(QEvent::KeyPress, which, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

/// There and back again between two ends.
int to_and_fro(int i, int low, int high) {
    const int span = high - low, at = i % (2 * span);
    return low + (at < span ? at : 2 * span - at);
}

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

// --- while a search runs --------------------------------------------------------------------------------------------

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

// --- the canvas ------------------------------------------------------------------------------------------------------

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

// --- start and memory ----------------------------------------------------------------------------------------------

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

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    if (argc == 3 && std::strcmp(argv[1], "--start") == 0) {
        started_ms = std::atof(argv[2]);
        return run_window(1, argv);
    }
    for (int i = 1; i < argc; ++i)
        if (std::strncmp(argv[i], "--frames=", 9) == 0) {
            steps = std::max(1, std::atoi(argv[i] + 9));
            std::rotate(argv + i, argv + i + 1, argv + argc);
            --argc;
            break;
        }
    const QTemporaryDir home;  // nobody's own settings and sessions
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        qputenv(name, QFile::encodeName(home.filePath(QLatin1String(name))));
    QApplication app(argc, argv);
    apply_theme(app, ThemeChoice::light);
    const auto add = [](const std::string& name, const auto& function, int iterations) {
        benchmark::RegisterBenchmark(name.c_str(), function)
            ->Iterations(iterations)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    };
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
                    [&d, &c](benchmark::State& state) { c.frames(state, d.make()); }, steps);
    add("frame, 1000 layers/cut", cut, steps);
    add("during a search/frame, 1000 layers, workers", workers_during_a_search, steps);
    add("during a search/pauses of the window in 5 s", pauses_during_a_search, 1);
    add("pan, 1000 layers/full size", pan_at_full_size, steps);
    add("pan, 1000 layers/all in sight", pan_with_all_in_sight, steps);
    add("pan, 1000 layers/least readable size", pan_at_the_least_readable_size, steps);
    add("start to first painted charts", start, starts);
    benchmark::RegisterBenchmark("memory after 1000 frames", memory_after_an_hour_of_dragging)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    std::printf("device pixels per pixel: %g\n", app.devicePixelRatio());
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
