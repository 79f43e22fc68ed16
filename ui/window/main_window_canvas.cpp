// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas in the main window: its place in the centre, and what it tells the other views.
#include <QAction>
#include <QCoreApplication>
#include <QLabel>
#include <QStackedWidget>
#include <QToolBar>
#include <utility>

#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_editor.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/canvas/palette.hpp"
#include "ui/canvas/property_panel.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/design/adapters_dialog.hpp"
#include "ui/design/layer_list.hpp"
#include "ui/design/network_panel.hpp"
#include "ui/design/symbol_form.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/tabs.hpp"
#include "ui/window/centre_rows.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/lesson_stage.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {
namespace {

constexpr int palette_width = 208;  // the longest name of a kind

}  // namespace

void MainWindow::connect_canvas() {
    connect(&document_, &Document::changed, this, [this] {
        if (canvas_shown()) canvas_->show_document();
    });
    const auto select_drawn = [this](int key) { select_in(key, document_.scenario(), document_.lineage()); };
    connect(canvas_, &Canvas::selected, this, select_drawn);
    connect(canvas_, &Canvas::said, this, [this](const QString& s, bool error) { messages_->say(s, error); });
    connect(canvas_, &Canvas::file_asked, exports_.get(), &Exports::export_network);
    connect(canvas_, &Canvas::scenario_found, files_.get(), &Files::paste);
    connect(canvas_, &Canvas::view_changed, files_.get(), &Files::keep_soon);
    connect(canvas_, &Canvas::why_asked, this, [this, select_drawn](int key) {
        select_drawn(key);
        why_dock_->QWidget::show();
    });
    connect(canvas_, &Canvas::boxes_changed, this, &MainWindow::show_layer_times);
    connect(canvas_, &Canvas::box_selected, layer_chart_, &LayerTimeChart::set_selected_box);
    connect(canvas_, &Canvas::box_hovered, layer_chart_, &LayerTimeChart::set_hovered_box);
    connect(layer_chart_, &LayerTimeChart::box_selected, canvas_, &Canvas::select_box);
    connect(layer_chart_, &LayerTimeChart::box_hovered, canvas_, &Canvas::set_hovered_box);
    connect(canvas_, &Canvas::hovered, layer_chart_, &LayerTimeChart::set_hovered_layer);
    connect(layer_chart_, &LayerTimeChart::layer_hovered, canvas_, &Canvas::set_hovered);
    connect(timeline_chart_, &TimelineChart::layer_hovered, canvas_, &Canvas::set_hovered);
}

/// While nobody looks at it, it is not kept up to date.
void MainWindow::fill_canvas() {
    canvas_->show_document();
    if (result()) canvas_->show_result(result());
    canvas_->set_selected(selected_.key);
}

/// Of the rows that are on show; while the drawing is, the chart below it has a bar for each of its boxes.
void MainWindow::show_layer_times() {
    if (!result()) return;
    const bool drawn = canvas_shown() && canvas_->result();
    const std::vector<ShownRow> rows = shown_rows(*result(), toggled_rows_);
    LayerTimeData bars = drawn ? layer_chart_data(*canvas_->result(), canvas_->box_times())
                               : layer_chart_data(*result(), row_bars(*result(), rows));
    if (drawn) bars.title = tr("Time per block");
    bars.last_valid = drawn && document_.draft();
    layer_chart_->set_data(std::move(bars));
    for (LayerList* list : layer_lists()) list->show_rows(result(), rows);
}

void MainWindow::toggle_row(const std::string& path) {
    if (!toggled_rows_.erase(path)) toggled_rows_.insert(path);
    show_layer_times();
    show_selected(selected_.key);
    files_->keep_soon();
}

void MainWindow::toggle_all_rows(bool open) {
    toggled_rows_.clear();
    for (const WorkloadPart& part : result()->request.scenario.workload)
        for (const drawing::OutlineRow& row : drawing::outline_of(*part.network).rows)
            if (row.has_children && row.open_at_first != open) toggled_rows_.insert(row.path);
    show_layer_times();
    show_selected(selected_.key);
    files_->keep_soon();
}

std::array<LayerList*, 2> MainWindow::layer_lists() const { return {network_->layers(), layer_table_}; }

bool MainWindow::canvas_shown() const { return canvas_action_ && canvas_action_->isChecked(); }

void MainWindow::build_canvas_docks() {
    palette_ = new Palette;
    palette_dock_ = new DockCard(tr("Layers"), QStringLiteral("paletteDock"), this);
    palette_dock_->body()->add(palette_, 1);
    CardBody* sizes = palette_dock_->add_page(tr("Sizes"));
    auto* note =
        make_label(tr("Sizes the network leaves open, such as the sequence length. The batch is set with the workers."),
                   type::caption(), Ink::secondary);
    note->setWordWrap(true);
    sizes->add(new SymbolForm(document_));
    sizes->add(note);
    sizes->add_stretch();
    palette_dock_->set_least_width(palette_width);
    addDockWidget(Qt::LeftDockWidgetArea, palette_dock_);
    properties_ = new PropertyPanel(*canvas_);
    properties_dock_ = new DockCard(tr("Properties"), QStringLiteral("propertiesDock"), this);
    properties_dock_->body()->add_wide(properties_, 1, 0);
    properties_dock_->set_least_width(space::right_width);
    addDockWidget(Qt::RightDockWidgetArea, properties_dock_);
    for (DockCard* d : {palette_dock_, properties_dock_}) d->hide();
    connect(palette_, &Palette::chosen, this, [this](const Kind* kind) { canvas_->editor().insert(*kind); });
    connect(properties_, &PropertyPanel::why_asked, why_dock_, [this] { why_dock_->QWidget::show(); });
}

/// The canvas has its own arrangement of docks, as the charts have theirs: whatever a person opens, closes or moves
/// stays so for the next time. At first what is given stands aside for the kinds of layers, the answer for the
/// properties of what is selected.
void MainWindow::show_canvas_docks(bool on) {
    if (std::exchange(canvas_docks_, on) == on) return;
    for (DockCard* d : {palette_dock_, properties_dock_}) d->toggleViewAction()->setVisible(on);
    layouts_[!on] = saveState(Settings::layout_version);
    const bool folded = !side_bar_->isHidden();
    if (!layouts_[on].isEmpty() && restoreState(layouts_[on], Settings::layout_version)) {
        if (on) side_bar_->setVisible(folded);  // follows the width of the window
        settle_homes();
        return;
    }
    for (DockCard* d : {network_dock_, cluster_dock_, model_dock_, design_dock_, why_dock_, numbers_dock_})
        if (!d->isFloating()) d->hide();
    palette_dock_->QWidget::show();
    properties_dock_->QWidget::show();
    resizeDocks({palette_dock_, properties_dock_}, {palette_width, space::right_width}, Qt::Horizontal);
}

/// Cluster and model stand in one dock or in two, as the window's height says, whatever an arrangement remembers.
void MainWindow::settle_homes() {
    const bool two = !cluster_dock_->isHidden() || !model_dock_->isHidden(), one = !design_dock_->isHidden();
    if (left_folded_ ? !two : !one) return;
    for (DockCard* d : {cluster_dock_, model_dock_}) d->setVisible(!left_folded_);
    design_dock_->setVisible(left_folded_);
}

/// The drawing takes the place of the two lower charts and, unless they are wanted, of the workers; the bars of the
/// layers stay below it.
void MainWindow::show_canvas(bool on) {
    canvas_->setVisible(on);
    workers_->setHidden(on && !workers_action_->isChecked());
    workers_action_->setVisible(on);
    fit_workers();
    make_room_below();
    // Docks get their places by what the centre needs now: by what it needed before, the window would grow.
    for (QWidget* w : std::initializer_list<QWidget*>{centre_, centralWidget(), this})
        QCoreApplication::sendPostedEvents(w, QEvent::LayoutRequest);
    lessons_->stage().without_settling([this, on] { show_canvas_docks(on); });
    for (QAction* action : canvas_->edit_actions()) action->setEnabled(on);
    if (!on) {
        fold_docks();
    }
    make_room_below();
    size_centre();
    if (on) fill_canvas();
    show_layer_times();
    if (on) canvas_->view().setFocus(Qt::OtherFocusReason);
    if (lessons_->stage().is_on()) lessons_->stage().settle();
    files_->keep_soon();
}

void MainWindow::ask_for_adapters() {
    auto* dialog = new AdaptersDialog(document_.scenario(), document_.draft() != nullptr, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        if (dialog->changed()) document_.edit_networks(*dialog->changed(), tr("Low-rank adapters"));
    });
    dialog->open();
}

void MainWindow::go_to_fault(int index) {
    canvas_action_->setChecked(true);
    const int layer = fault_layers_[static_cast<std::size_t>(index)];
    const Sketch& sketch = *canvas_->scene().sketch();
    if (layer < 0 || layer >= sketch.size()) return;
    const std::string name = sketch.layers[static_cast<std::size_t>(layer)].name;
    canvas_->scene().reveal(name);
    canvas_->scene().select({name});
    if (const BoxItem* box = canvas_->scene().box(name)) canvas_->view().show_box(*box);
}

/// What each row of the centre gets when a page or the canvas comes or goes.
void MainWindow::size_centre() {
    const int tenth = centre_->height() / 10;
    const bool page = !bottom_->isHidden();
    // The canvas, the layers, the bar for what is folded, the two lower charts, the page.
    if (canvas_shown())
        centre_->setSizes(page ? QList<int>{4 * tenth, 2 * tenth, 0, 0, 4 * tenth}
                               : QList<int>{7 * tenth, 3 * tenth, 0, 0, 0});
    else if (page)
        centre_->setSizes(lower_->isHidden() ? QList<int>{0, 4 * tenth, 0, 0, 6 * tenth}
                                             : QList<int>{0, 3 * tenth, 0, 3 * tenth, 4 * tenth});
    else
        centre_->setSizes({0, 5 * tenth, 0, 5 * tenth, 0});
}

}  // namespace scalescope::ui
