// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QWidget>

#include "tests/shots/states.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {
class CanvasScene;
class CanvasView;
class Chart;
}  // namespace scalescope::ui

/// What a person does to the window, so that states are told in a few words.
namespace scalescope::shots {

using namespace scalescope::ui;

constexpr QSize usual(1440, 900);

template <class T>
T* find(MainWindow& w, const char* name) {
    T* widget = w.findChild<T*>(QLatin1String(name));
    if (!widget) qFatal("no widget %s", name);
    return widget;
}

void choose_network(MainWindow& w, const char* id);
void choose_way(MainWindow& w, std::string_view id);
void set_workers(MainWindow& w, int n);
void page(MainWindow& w, const char* id);
/// Unfolds one section of the settings.
void section(MainWindow& w, int index);
void select_layer(MainWindow& w, int row);
void ask(MainWindow& w, Topic topic, int layer = -1, int index = -1);
void hover(QWidget* widget, QPoint at);
void main_menu(MainWindow& w, int index, int sub = -1);
void chart_menu(Chart* chart);
CanvasView* canvas(MainWindow& w, const char* network = nullptr);
CanvasScene& scene_of(CanvasView* view);

}  // namespace scalescope::shots
