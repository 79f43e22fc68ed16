// SPDX-License-Identifier: GPL-3.0-or-later
#include "stage.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

#include "support_library.hpp"
#include "support_networks.hpp"

namespace window_bench {

Scenario of_1000_layers(support::Divided way) {
    Scenario s = support::scenario(support::long_network(1000));
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

int to_and_fro(int i, int low, int high) {
    const int span = high - low, at = i % (2 * span);
    return low + (at < span ? at : 2 * span - at);
}

}  // namespace window_bench
