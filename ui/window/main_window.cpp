// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.hpp"

#include <QApplication>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScreen>
#include <QSplitter>
#include <QTextEdit>
#include <QVBoxLayout>
#include <utility>

#include "core/scenario/clusters.hpp"
#include "core/scenario/hardware.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/charts/heat_chart.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/resource_chart.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/stack_chart.hpp"
#include "ui/charts/step_time_chart.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/charts/tornado_chart.hpp"
#include "ui/charts/waterfall_chart.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/design/cluster_panel.hpp"
#include "ui/design/layer_list.hpp"
#include "ui/design/network_panel.hpp"
#include "ui/design/settings_panel.hpp"
#include "ui/design/verdict_card.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/document/keeping.hpp"
#include "ui/gallery/gallery_dialog.hpp"
#include "ui/inspect/chart_mapping.hpp"
#include "ui/inspect/compare_page.hpp"
#include "ui/inspect/cpu_page.hpp"
#include "ui/inspect/device_map_page.hpp"
#include "ui/inspect/numbers_panel.hpp"
#include "ui/inspect/sensitivity_page.hpp"
#include "ui/inspect/staleness_page.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/problems_view.hpp"
#include "ui/widgets/status_line.hpp"
#include "ui/widgets/tabs.hpp"
#include "ui/window/centre_rows.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/view_state.hpp"

namespace scalescope::ui {

MainWindow::MainWindow(const QString& session_folder, const QString& own_folder, QWidget* parent)
    : QMainWindow(parent),
      library_(formats::load_shipped()),
      own_folder_(own_folder),
      presenter_(document_, library_.catalogue.ways) {
    formats::add_folder(library_, own_folder.toStdString());
    qRegisterMetaType<LiveResultPtr>();
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setContentsMargins(space::gap, 0, space::gap, 0);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    build_centre();
    build_owners(session_folder);
    build_docks();
    build_status();  // the first bar of an area is the outermost
    build_bottom();
    lessons_ = std::make_unique<LessonDesk>(*this);
    files_->set_lessons(*lessons_);
    build_actions();
    connect_views();
    // A file dropped on a field is to be opened, not to be typed.
    for (auto* field : findChildren<QLineEdit*>()) field->setAcceptDrops(false);
    for (auto* field : findChildren<QTextEdit*>()) field->viewport()->setAcceptDrops(false);
    // A title bar comes on top of it: on a screen as high as this the status line would lie below the edge.
    constexpr int frame = 40;
    resize(QSize(1440, 900).boundedTo(screen()->availableSize() - QSize(0, frame)));
    const QByteArray geometry = settings_.geometry();
    if (!geometry.isEmpty()) restoreGeometry(geometry);
    restoreState(settings_.layout(), Settings::layout_version);
    lessons_->dock()->hide();
    layouts_[1] = settings_.canvas_layout();
    workers_action_->setChecked(settings_.canvas_workers());
    move_home(!design_dock_->isHidden());  // the window of last time may have been compact
}

MainWindow::~MainWindow() {
    // Its thread reads the library, which goes before the children do.
    delete findChild<GalleryDialog*>();
    // A history tells of its own end, when half of the window is gone already.
    document_.disconnect(this);
}

void MainWindow::build_centre() {
    auto* middle = new CentreColumn;
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(4, 0, 4, 0);
    column->setSpacing(space::gap);
    workers_ = new WorkersPanel(document_, library_.catalogue);
    layer_chart_ = new LayerTimeChart;
    step_chart_ = new StepTimeChart;
    speedup_chart_ = new SpeedupChart;
    layer_chart_->setObjectName(QStringLiteral("layerChart"));
    step_chart_->setObjectName(QStringLiteral("stepChart"));
    speedup_chart_->setObjectName(QStringLiteral("speedupChart"));
    lower_ = make_splitter(Qt::Horizontal);
    ways_chart_ = new StackChart;
    ways_chart_->setObjectName(QStringLiteral("waysChart"));
    ways_chart_->hide();
    memory_chart_ = new StackChart;
    memory_chart_->setObjectName(QStringLiteral("memoryChart"));
    upper_ = make_splitter(Qt::Horizontal);
    upper_->addWidget(layer_chart_);
    lower_->addWidget(ways_chart_);
    lower_->addWidget(step_chart_);
    lower_->addWidget(speedup_chart_);
    bottom_ = new Pages;
    bottom_->hide();
    centre_ = new CentreRows;
    centre_->setHandleWidth(space::gap);
    canvas_ = new Canvas(document_);
    canvas_->hide();
    centre_->addWidget(canvas_);
    centre_->addWidget(upper_);
    centre_->add_fold_bar();
    centre_->addWidget(lower_);
    centre_->addWidget(bottom_);
    centre_->setStretchFactor(0, 20);
    centre_->setStretchFactor(1, 10);
    centre_->setStretchFactor(3, 11);
    centre_->setStretchFactor(4, 9);
    connect(centre_, &CentreRows::out_of_room, this, [this] { show_bottom({}); });
    connect(centre_, &CentreRows::unfolded, this, [this] {
        if (result() && !result()->request.dragging) ask_for_mesh_curve();  // nobody has while it was folded
    });
    make_room_below();
    messages_ = std::make_unique<Messages>(*column);
    column->addWidget(workers_);
    verdict_ = new VerdictCard;
    column->addWidget(verdict_);
    column->addWidget(centre_, 1);
    setCentralWidget(middle);
}

/// After the centre, where messages stand and charts are.
void MainWindow::build_owners(const QString& session_folder) {
    beside_ =
        std::make_unique<SideWindows>(*this, document_, library_, presenter_, *messages_, own_folder_, session_folder);
    files_ = std::make_unique<Files>(
        *this, document_, library_, *messages_, *beside_, session_folder,
        Files::Surroundings{
            [this] { return view_json(); }, [this](const QJsonObject& view) { apply_view(view); },
            [this](const Problems& p, const QString& file, const QString& text) { show_problems(p, file, text); },
            [this] { forget_problems(); }});
    exports_ = std::make_unique<Exports>(*this, document_, presenter_, *files_, *messages_,
                                         Exports::Surroundings{[this]() -> Canvas& {
                                                                   if (!canvas_shown()) fill_canvas();
                                                                   return *canvas_;
                                                               },
                                                               [this] { return compare_page_->choice().metric; }});
    connect(beside_.get(), &SideWindows::fitted_changed, this, [this] {
        if (result()) show_speedup();
    });
    connect(beside_.get(), &SideWindows::calibrations_changed, this, [this] { model_->fill_choices(); });
}

void MainWindow::start() {
    files_->start();
    say_what_is_new();
}

void MainWindow::update_title() {
    setWindowTitle(tr("%1[*] – Scalescope").arg(document_.title()));
    setWindowModified(document_.dirty());
    setWindowFilePath(document_.file());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!files_->leave()) return event->ignore();
    layouts_[canvas_docks_] = saveState(Settings::layout_version);
    settings_.set_window(saveGeometry(), layouts_[0]);
    settings_.set_canvas(layouts_[1], workers_action_->isChecked());
    files_->close();
    event->accept();
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow() && lessons_) files_->look_at_file();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (Files::takes(*event->mimeData())) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    if (!Files::takes(*event->mimeData())) return;
    event->acceptProposedAction();
    files_->open_dropped(*event->mimeData());
}

/// What no field and no part of the window had a use for.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Paste) && Files::clipboard_has_link()) return files_->paste();
    QMainWindow::keyPressEvent(event);
}

void MainWindow::connect_views() {
    connect(&document_, &Document::changed, this, [this, sizes_shown = std::size_t{0}]() mutable {
        presenter_.follow_edit();
        files_->keep_session();
        // The form of the cluster has one row more for devices inside a node, that of a network one for each size.
        const Scenario& s = document_.scenario();
        const bool inside = s.cluster.devices_per_node > 1;
        const std::size_t sizes = s.network() ? s.network()->bindings().size() : 0;
        if (std::exchange(inside_shown_, inside) != inside) size_rows();
        const bool other_forms = std::exchange(cpu_shown_, is_cpu_cluster(s)) != is_cpu_cluster(s);
        if (other_forms || std::exchange(sizes_shown, sizes) != sizes)  // once the form of the network has them
            QMetaObject::invokeMethod(this, &MainWindow::size_rows, Qt::QueuedConnection);
        // The crosshair follows the hand at once; the rest of the charts when they are computed.
        speedup_chart_->set_workers(static_cast<int>(document_.scenario().cluster.workers));
        show_fitting_tabs();
    });
    connect(&Keeping::instance(), &Keeping::changed, this, &MainWindow::show_status);
    connect(&document_, &Document::view_asked, this, &MainWindow::apply_view);
    connect(&document_, &Document::state_changed, this, &MainWindow::update_title);
    connect(&document_, &Document::changed, this, &MainWindow::update_title);  // another network may be in the name
    // An edit announces itself before the history knows that the document is no longer as saved.
    connect(&document_, &Document::state_changed, files_.get(), &Files::keep_session);
    // Whichever field has the keyboard, in a panel or a dialog: what is typed into it is one undo step.
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        const auto* field = qobject_cast<NumberField*>(now);
        if (!field) return;
        connect(field, &NumberField::typed, &document_, &Document::begin_typing, Qt::UniqueConnection);
        connect(field, &NumberField::editing_finished, &document_, &Document::end_typing, Qt::UniqueConnection);
    });
    connect(&presenter_, &Presenter::shown, this, &MainWindow::follow_shown);
    connect(&presenter_, &Presenter::fell_behind, this, [this] { status_->set_messages({tr("Computing…")}); });
    connect(sensitivity_, &SensitivityPage::question_changed, this, [this] {
        presenter_.analyse();
        files_->keep_soon();
    });
    connect(speedup_chart_, &Chart::view_changed, &presenter_, &Presenter::analyse);
    connect(sensitivity_, &SensitivityPage::field_asked, this, &MainWindow::show_setting);
    connect_comparison();
    auto set_workers = [this](int n) { document_.change([n](Scenario& s) { s.cluster.workers = n; }); };
    connect(step_chart_, &StepTimeChart::workers_chosen, this, set_workers);
    connect(workers_, &WorkersPanel::mesh_view_changed, this, [this] {
        presenter_.analyse();
        files_->keep_soon();
    });
    connect(ways_chart_, &StackChart::row_chosen, this, &MainWindow::take_way);
    connect(cpu_page_, &CpuPage::configuration_chosen, this,
            [this](const CpuCell& cell) { document_.edit(with_cell(document_.scenario(), cell)); });
    connect(cpu_page_, &CpuPage::switch_asked, this,
            [this] { document_.edit(on_cpu_cluster(document_.scenario(), library_.catalogue)); });
    connect(staleness_, &StalenessPage::cpu_page_asked, this, [this] { show_bottom(QStringLiteral("cpu-cluster")); });
    connect(cpu_page_->layer_chart(), &LayerTimeChart::layer_selected, this, &MainWindow::select);
    connect(sensitivity_, &SensitivityPage::workers_chosen, this, set_workers);
    connect(speedup_chart_, &SpeedupChart::workers_dragged, this, [this, set_workers](int n) {
        document_.begin_drag();
        set_workers(n);
    });
    connect(speedup_chart_, &SpeedupChart::workers_drag_finished, &document_, &Document::end_drag);
    connect(layer_chart_, &LayerTimeChart::layer_selected, this, &MainWindow::select);
    connect(timeline_chart_, &TimelineChart::layer_selected, this, &MainWindow::select);
    connect(roofline_chart_, &XyChart::point_clicked, this, &MainWindow::select);
    connect(timeline_chart_, &TimelineChart::layer_hovered, layer_chart_, &LayerTimeChart::set_hovered_layer);
    for (LayerList* list : layer_lists()) {
        list->add_actions = [this](QMenu& menu, int key) { network_->add_layer_actions(menu, key); };
        connect(list, &LayerList::selected_changed, this, &MainWindow::select);
        connect(list, &LayerList::toggled, this, &MainWindow::toggle_row);
        connect(list, &LayerList::all_toggled, this, &MainWindow::toggle_all_rows);
        connect(list, &LayerList::hovered, layer_chart_, &LayerTimeChart::set_hovered_layer);
        connect(list, &LayerList::hovered, canvas_, &Canvas::set_hovered);
        for (LayerList* other : layer_lists())
            if (other != list) connect(list, &LayerList::hovered, other, &LayerList::set_hovered);
        connect(layer_chart_, &LayerTimeChart::layer_hovered, list, &LayerList::set_hovered);
        connect(timeline_chart_, &TimelineChart::layer_hovered, list, &LayerList::set_hovered);
        connect(canvas_, &Canvas::hovered, list, &LayerList::set_hovered);
    }
    connect(verdict_, &VerdictCard::fix_chosen, this, [this](const Scenario& s) { document_.edit(s); });
    connect(why_, &WhyPanel::asked, this, [this](const Item& item) {
        select(item.layer >= 0 ? layer_key(item.part, item.layer) : -1);
        why_->ask(item);
    });
    connect_canvas();
    for (const auto& entry : charts()) connect(entry.second, &Chart::view_changed, files_.get(), &Files::keep_soon);
    connect(why_, &WhyPanel::field_asked, this, &MainWindow::focus_field);
    connect(problems_, &ProblemsView::problem_activated, this, [this](int index) {
        if (problem_file_.isEmpty() && static_cast<std::size_t>(index) < fault_layers_.size())
            return go_to_fault(index);
        if (problem_file_.isEmpty() && static_cast<std::size_t>(index) < problem_fields_.size())
            focus_field(problem_fields_[static_cast<std::size_t>(index)]);
    });
    connect(numbers_, &NumbersPanel::why_asked, this, [this](const QString& figure) {
        using enum Topic;
        static constexpr std::pair<const char*, Topic> topics[] = {{"step", step},
                                                                   {"band", step},
                                                                   {"throughput", throughput},
                                                                   {"tokens", throughput},
                                                                   {"speedup", speedup},
                                                                   {"efficiency", efficiency},
                                                                   {"forward", forward},
                                                                   {"backward", backward},
                                                                   {"update", update},
                                                                   {"communication", communication},
                                                                   {"hidden", hidden},
                                                                   {"idle", idle},
                                                                   {"binding", cpu_binding},
                                                                   {"binding_alone", step},
                                                                   {"cpu_staleness", cpu_staleness},
                                                                   {"staleness", staleness},
                                                                   {"statistical_cost", statistical_cost},
                                                                   {"knee", knee},
                                                                   {"replicas", effective_batch},
                                                                   {"machines", effective_batch},
                                                                   {"memory", memory},
                                                                   {"epoch", epoch},
                                                                   {"cost", cost},
                                                                   {"goodput", goodput},
                                                                   {"checkpoint_interval", checkpoint_interval},
                                                                   {"elapsed", goodput}};
        for (const auto& [name, topic] : topics)
            if (figure == QLatin1String(name)) {
                Item item;
                item.topic = topic;
                why_->ask(item);
                why_dock_->QWidget::show();
            }
    });
}

}  // namespace scalescope::ui
