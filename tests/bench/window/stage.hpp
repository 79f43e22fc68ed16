// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "clock.hpp"
#include "support_choices.hpp"
#include "ui/charts/chart.hpp"
#include "ui/widgets/slider.hpp"
#include "ui/window/main_window.hpp"

namespace window_bench {

using namespace scalescope;
using namespace scalescope::ui;

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

/// The designs that are measured: a network of 1,000 layers, and two of tokens.
Scenario of_1000_layers(support::Divided way);
Scenario data_parallel();
Scenario gpt_3();
Scenario llama_405b();

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

// What a hand does.
void drag_to(Slider& slider, double x);
void press(Slider& slider);
void key(QWidget& widget, int which);
/// There and back again between two ends.
int to_and_fro(int i, int low, int high);

}  // namespace window_bench
