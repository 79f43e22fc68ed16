// SPDX-License-Identifier: GPL-3.0-or-later
// The cards around the charts: what stands in them, how high they are, and when they fold.
#include <QAction>
#include <QResizeEvent>
#include <QToolBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/canvas/canvas.hpp"
#include "ui/design/cluster_panel.hpp"
#include "ui/design/hardware_editor.hpp"
#include "ui/design/network_panel.hpp"
#include "ui/design/settings_panel.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/inspect/numbers_panel.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/tabs.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/lesson_stage.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {
namespace {

/// Below this width the right docks fold to side tabs; below this height cluster and model share one dock.
constexpr int full_width = 1280, full_height = 840;
/// Heights that a form keeps, whatever the others want, and that of the options of a CPU cluster at most.
constexpr int least_form = 150, most_cpu_form = 240;

}  // namespace

void MainWindow::build_docks() {
    network_ = new NetworkPanel(document_, library_);
    cluster_ = new ClusterPanel(document_, library_.catalogue);
    model_ = new SettingsPanel(document_, library_);
    why_ = new WhyPanel;
    numbers_ = new NumbersPanel;
    auto dock = [this](const QString& title, const char* name, Qt::DockWidgetArea area, int width) {
        auto* d = new DockCard(title, QLatin1String(name), this);
        d->set_least_width(width);
        addDockWidget(area, d);
        return d;
    };
    network_dock_ = dock(tr("Network"), "networkDock", Qt::LeftDockWidgetArea, space::left_width);
    network_dock_->body()->add_wide(network_, 1);
    network_dock_->keep_body();  // its list scrolls
    cluster_dock_ = dock(tr("Cluster"), "clusterDock", Qt::LeftDockWidgetArea, space::left_width);
    model_dock_ = dock(tr("Settings"), "modelDock", Qt::LeftDockWidgetArea, space::left_width);
    design_dock_ = dock(tr("Cluster"), "designDock", Qt::LeftDockWidgetArea, space::left_width);
    add_home(cluster_, cluster_dock_->body(), design_dock_->body(), space::card_padding);
    add_home(model_, model_dock_->body(), design_dock_->add_page(tr("Settings")), settings_margin);
    connect(design_dock_->title_row(), &CardTitle::tab_chosen, this, &MainWindow::size_rows);
    design_dock_->hide();
    why_dock_ = dock(tr("Why"), "whyDock", Qt::RightDockWidgetArea, space::right_width);
    why_dock_->body()->add(why_, 1);
    numbers_dock_ = dock(tr("Numbers"), "numbersDock", Qt::RightDockWidgetArea, space::right_width);
    numbers_dock_->body()->add(numbers_);
    build_canvas_docks();
    connect(cluster_, &ClusterPanel::edit_device_asked, this, &MainWindow::edit_device);
    connect(cluster_, &ClusterPanel::edit_link_asked, this, &MainWindow::edit_link);
    connect(cluster_, &ClusterPanel::edit_machine_asked, this, &MainWindow::edit_machine);
    connect(network_, &NetworkPanel::open_asked, files_.get(), &Files::ask_to_open);
    connect(network_, &NetworkPanel::gallery_asked, this, &MainWindow::open_gallery);
    connect(model_, &SettingsPanel::open_calibration_asked, files_.get(), &Files::ask_to_open);
    connect(model_, &SettingsPanel::calibrate_asked, beside_.get(), &SideWindows::show_calibration);
    connect(network_, &NetworkPanel::problems_found, this,
            [this](const Problems& p, const QString& name) { show_problems(p, name, {}); });

    side_tabs_ = new SideTabs;
    side_tabs_->add_tab(QStringLiteral("why"), tr("Why"));
    side_tabs_->add_tab(QStringLiteral("numbers"), tr("Numbers"));
    connect(side_tabs_, &SideTabs::current_changed, this, [this](const QString& id) {
        why_dock_->setVisible(id == QLatin1String("why"));
        numbers_dock_->setVisible(id == QLatin1String("numbers"));
    });
    side_bar_ = new QToolBar(tr("Folded panels"));
    side_bar_->setObjectName(QStringLiteral("sideBar"));
    side_bar_->setMovable(false);
    side_bar_->addWidget(side_tabs_);
    addToolBar(Qt::RightToolBarArea, side_bar_);
    side_bar_->hide();
}

void MainWindow::edit_device() {
    auto* editor = new HardwareEditor(document_, "cluster.device", this);
    editor->setAttribute(Qt::WA_DeleteOnClose);
    editor->QWidget::show();
}

void MainWindow::edit_machine() {
    auto* editor = new HardwareEditor(document_, "cluster.machine", this);
    editor->setAttribute(Qt::WA_DeleteOnClose);
    editor->QWidget::show();
}

void MainWindow::edit_link(bool inside) {
    auto* editor = new HardwareEditor(document_, inside ? "cluster.inside" : "cluster.between", this);
    editor->setAttribute(Qt::WA_DeleteOnClose);
    editor->QWidget::show();
}

/// A panel that stands in one card of the full window and in another of the compact one.
void MainWindow::add_home(QWidget* panel, CardBody* full, CardBody* compact, int margin) {
    Home home{panel, {}};
    for (const bool folded : {false, true}) {
        auto* room = new QWidget;
        home.rooms[folded] = new QVBoxLayout(room);
        home.rooms[folded]->setContentsMargins(0, 0, 0, 0);
        (folded ? compact : full)->add_wide(room, 0, margin);
    }
    home.rooms[0]->addWidget(panel);
    homes_.push_back(home);
}

void MainWindow::size_docks() {
    resizeDocks({network_dock_, why_dock_}, {space::left_width, space::right_width}, Qt::Horizontal);
    size_rows();
}

void MainWindow::size_rows() {
    // Forms and figures get what they need; the list and the reasons take the rest.
    const int available = height() - 160, around = space::card_title + space::card_padding;
    const int cluster = cluster_->sizeHint().height() + around;
    int model = model_->sizeHint().height() + around;
    if (cpu_shown_) model = std::min(model, most_cpu_form);  // its options are many and seldom used: they scroll
    const int numbers = numbers_->sizeHint().height() + around;
    // A network with sizes of its own and a few of its layers come first: the forms scroll.
    const int layers = network_dock_->minimumSizeHint().height();
    if (left_folded_) {
        const int shown = design_dock_->current_page() == 0 ? cluster : std::max(cluster, model);
        resizeDocks({network_dock_, design_dock_}, {std::max(layers, available - shown), shown}, Qt::Vertical);
    } else {
        const int network = std::max(layers, available - cluster - model);
        const int shown = std::clamp(available - network - cluster, std::min(least_form, model), model);
        resizeDocks({network_dock_, cluster_dock_, model_dock_}, {network, cluster, shown}, Qt::Vertical);
    }
    resizeDocks({why_dock_, numbers_dock_}, {std::max(200, available - numbers), numbers}, Qt::Vertical);
}

/// All panels to where they stood at the first start.
void MainWindow::reset_layout() {
    canvas_action_->setChecked(false);
    layouts_[1].clear();
    workers_action_->setChecked(false);
    for (DockCard* d : {network_dock_, cluster_dock_, model_dock_, why_dock_, numbers_dock_}) {
        d->setFloating(false);
        addDockWidget(d == why_dock_ || d == numbers_dock_ ? Qt::RightDockWidgetArea : Qt::LeftDockWidgetArea, d);
        const bool left = d == cluster_dock_ || d == model_dock_, right = d == why_dock_ || d == numbers_dock_;
        d->setVisible(!(left && left_folded_) && !(right && side_bar_->isVisible()));
    }
    side_tabs_->set_current({});
    design_dock_->setFloating(false);
    addDockWidget(Qt::LeftDockWidgetArea, design_dock_);
    design_dock_->setVisible(left_folded_);
    size_docks();
    show_bottom({});
    if (lessons_->stage().is_on()) lessons_->stage().settle();
}

void MainWindow::fold_right(bool fold) {
    if (fold != side_bar_->isHidden()) return;
    side_bar_->setVisible(fold);
    side_tabs_->set_current({});
    for (DockCard* d : {why_dock_, numbers_dock_})
        if (!d->isFloating()) d->setVisible(!fold);
    show_status();  // folded figures stand in the status line
}

void MainWindow::fold_left(bool fold) {
    if (fold == left_folded_ || cluster_dock_->isFloating() || model_dock_->isFloating()) return;
    move_home(fold);
    cluster_dock_->setVisible(!fold);
    model_dock_->setVisible(!fold);
    design_dock_->setVisible(fold);
    size_rows();
}

void MainWindow::move_home(bool fold) {
    left_folded_ = fold;
    for (const Home& home : homes_) {
        home.rooms[fold]->addWidget(home.panel);
        home.panel->show();
    }
    for (DockCard* d : {cluster_dock_, model_dock_}) d->toggleViewAction()->setVisible(!fold);
    design_dock_->toggleViewAction()->setVisible(fold);
}

/// The card of the workers tells as much as there is room for.
void MainWindow::fit_workers() {
    constexpr int for_hint = 760;
    using Room = WorkersPanel::Room;
    workers_->set_room(lessons_ && lessons_->stage().is_on()   ? Room::lesson
                       : height() < for_hint || canvas_shown() ? Room::low
                                                               : Room::full);
}

/// The canvas has its own docks, which stay.
void MainWindow::fold_docks() {
    fit_workers();
    if (lessons_ && lessons_->stage().is_on()) {
        if (const bool low = height() < full_height; low != left_folded_) move_home(low);
        lessons_->stage().fit_dock();
        return lessons_->stage().settle();
    }
    if (canvas_shown()) return;
    fold_right(width() < full_width);
    fold_left(height() < full_height);
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (!std::exchange(sized_, true) && settings_.layout().isEmpty()) size_docks();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    fold_docks();
}

}  // namespace scalescope::ui
