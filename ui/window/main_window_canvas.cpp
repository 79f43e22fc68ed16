// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas in the main window: its place in the centre, and what it tells the other views.
#include <QAction>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>

#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/design/network_panel.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/inspect/layer_table.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/widgets/card.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {

void MainWindow::connect_canvas() {
    connect(&document_, &Document::changed, this, [this] {
        if (canvas_shown()) canvas_->show_document();
    });
    connect(canvas_, &Canvas::selected, this, &MainWindow::select);
    connect(canvas_, &Canvas::said, this, &MainWindow::say);
    connect(canvas_, &Canvas::view_changed, keep_soon_, qOverload<>(&QTimer::start));
    connect(canvas_, &Canvas::why_asked, this, [this](int key) {
        select(key);
        why_dock_->QWidget::show();
    });
    connect(canvas_, &Canvas::hovered, network_, &NetworkPanel::set_hovered);
    connect(canvas_, &Canvas::hovered, layer_chart_, &LayerTimeChart::set_hovered_layer);
    connect(canvas_, &Canvas::hovered, layer_table_, &LayerTable::set_hovered);
    connect(layer_chart_, &LayerTimeChart::layer_hovered, canvas_, &Canvas::set_hovered);
    connect(timeline_chart_, &TimelineChart::layer_hovered, canvas_, &Canvas::set_hovered);
    connect(network_, &NetworkPanel::hovered, canvas_, &Canvas::set_hovered);
    connect(layer_table_, &LayerTable::hovered, canvas_, &Canvas::set_hovered);
}

/// While nobody looks at it, it is not kept up to date.
void MainWindow::fill_canvas() {
    canvas_->show_document();
    if (result_) canvas_->show_result(result_);
}

bool MainWindow::canvas_shown() const { return canvas_action_ && canvas_action_->isChecked(); }

/// The drawing takes the place of the two lower charts and of the workers; the bars of the layers stay below it.
void MainWindow::show_canvas(bool on) {
    canvas_->setVisible(on);
    workers_->setHidden(on);
    make_room_below();
    size_centre();
    if (on) fill_canvas();
    if (on) canvas_->view().setFocus(Qt::OtherFocusReason);
    keep_soon_->start();
}

/// What each row of the centre gets when a page or the canvas comes or goes.
void MainWindow::size_centre() {
    const int tenth = centre_->height() / 10;
    const bool page = !bottom_->isHidden();
    if (canvas_shown())
        centre_->setSizes(page ? QList<int>{4 * tenth, 2 * tenth, 0, 4 * tenth}
                               : QList<int>{7 * tenth, 3 * tenth, 0, 0});
    else if (page)
        centre_->setSizes(lower_->isHidden() ? QList<int>{0, 4 * tenth, 0, 6 * tenth}
                                             : QList<int>{0, 3 * tenth, 3 * tenth, 4 * tenth});
    else
        centre_->setSizes({0, 5 * tenth, 5 * tenth, 0});
}

}  // namespace scalescope::ui
