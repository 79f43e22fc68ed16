// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <functional>
#include <vector>

namespace scalescope::ui {
class MainWindow;
}

namespace scalescope::shots {

/// A state of the window worth looking at: its size, and how to get there from the example.
struct State {
    QString name;
    QSize size;
    std::function<void(ui::MainWindow&)> reach;
    QSize ends = {};         ///< the window's size then, if it is another one
    bool asked_for = false;  ///< drawn only where its name is asked for: there are many of its kind
};

std::vector<State> all_states();
/// Those of a part of the program.
void add_canvas_states(std::vector<State>& states);
void add_cpu_states(std::vector<State>& states);
void add_measure_states(std::vector<State>& states);
void add_search_states(std::vector<State>& states);
void add_lesson_states(std::vector<State>& states);
void add_help_states(std::vector<State>& states);

/// Waits for the newest answer and for what is queued to be painted.
void settle(ui::MainWindow& window);

}  // namespace scalescope::shots
