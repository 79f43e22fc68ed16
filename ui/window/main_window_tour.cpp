// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says to who starts it for the first time.
#include <QMenu>
#include <QToolButton>

#include "ui/charts/layer_time_chart.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/inspect/numbers_panel.hpp"
#include "ui/tour/tour.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/slider.hpp"
#include "ui/widgets/tabs.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {

void MainWindow::greet() {
    if (settings_.hint_seen()) return;
    settings_.set_hint_seen();
    take_tour();
}

void MainWindow::end_tour() {
    if (tour_) tour_->end();
}

void MainWindow::take_tour() {
    canvas_action_->setChecked(false);
    if (!tour_) tour_ = new Tour(this);
    QWidget* figures = numbers_->isVisible() ? static_cast<QWidget*>(numbers_dock_) : side_tabs_;
    tour_->begin(
        {{workers_->findChild<WorkerSlider*>(), tr("Drag the workers slider"),
          tr("Every chart updates while you drag. Ctrl+Z undoes a drag.")},
         {layer_chart_, tr("Click a bar"),
          tr("Bars are the layers of the network. The Why panel then shows the formula behind the time, with "
             "its numbers.")},
         {figures, tr("Read the answer"),
          tr("Step time, speedup, memory and cost. Pin a design with Ctrl+K to compare later designs with it.")},
         {findChild<QToolButton*>(QStringLiteral("commandsButton")), tr("Find anything"),
          tr("Ctrl+Shift+P finds every command, preset and setting; “workers 16” sets one. F1 opens help for the "
             "current control. New to the subject? The first lesson explains what one layer costs."),
          library_.lessons.empty() ? QString() : tr("First lesson"),
          [this] { lessons_->open_shipped(QString::fromStdString(library_.lessons.front().id)); }}});
}

}  // namespace scalescope::ui
