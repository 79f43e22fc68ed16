// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.hpp"

#include <QActionGroup>
#include <QApplication>
#include <QLineEdit>
#include <QResizeEvent>
#include <QScreen>
#include <QSplitter>
#include <QStackedWidget>
#include <QTextEdit>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>
#include <utility>

#include "core/base/format.hpp"
#include "core/scenario/fields.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/step_time_chart.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/charts/waterfall_chart.hpp"
#include "ui/design/cluster_panel.hpp"
#include "ui/design/hardware_editor.hpp"
#include "ui/design/model_panel.hpp"
#include "ui/design/network_panel.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/inspect/layer_table.hpp"
#include "ui/inspect/numbers_panel.hpp"
#include "ui/inspect/paleo_page.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/problems_view.hpp"
#include "ui/widgets/status_line.hpp"
#include "ui/widgets/tabs.hpp"
#include "ui/window/chart_mapping.hpp"
#include "ui/window/view_state.hpp"

namespace scalescope::ui {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

/// Below this width the right docks fold to side tabs; below this height cluster and model share one dock.
constexpr int full_width = 1280, full_height = 840;

}  // namespace

MainWindow::MainWindow(const QString& session_folder, const QString& own_folder, QWidget* parent)
    : QMainWindow(parent), library_(formats::load_shipped()), own_folder_(own_folder) {
    formats::add_folder(library_, own_folder.toStdString());
    qRegisterMetaType<LiveResultPtr>();
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setContentsMargins(space::gap, 0, space::gap, 0);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    if (!session_folder.isEmpty()) session_ = std::make_unique<Session>(session_folder);
    keep_soon_ = new QTimer(this);  // the view changes with every notch of a wheel
    keep_soon_->setSingleShot(true);
    keep_soon_->setInterval(400);
    connect(keep_soon_, &QTimer::timeout, this, &MainWindow::keep_session);
    refine_ = new QTimer(this);
    refine_->setSingleShot(true);
    refine_->setInterval(150);
    connect(refine_, &QTimer::timeout, this, [this] {
        if (!document_.dragging()) request(true);
    });
    slow_answer_ = new QTimer(this);
    slow_answer_->setSingleShot(true);
    slow_answer_->setInterval(Loader::patience);
    connect(slow_answer_, &QTimer::timeout, this, [this] { status_->set_messages({tr("Computing…")}); });
    build_centre();
    build_docks();
    build_status();  // the first bar of an area is the outermost
    build_bottom();
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
    move_home(!design_dock_->isHidden());  // the window of last time may have been compact
}

MainWindow::~MainWindow() {
    // A history tells of its own end, when half of the window is gone already.
    document_.disconnect(this);
}

void MainWindow::build_centre() {
    auto* middle = new QWidget;
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(4, 0, 4, 0);
    column->setSpacing(space::gap);
    workers_ = new WorkersPanel(document_);
    layer_chart_ = new LayerTimeChart;
    step_chart_ = new StepTimeChart;
    speedup_chart_ = new SpeedupChart;
    layer_chart_->setObjectName(QStringLiteral("layerChart"));
    step_chart_->setObjectName(QStringLiteral("stepChart"));
    speedup_chart_->setObjectName(QStringLiteral("speedupChart"));
    lower_ = new QSplitter(Qt::Horizontal);
    lower_->setHandleWidth(space::gap);
    lower_->setChildrenCollapsible(false);
    lower_->addWidget(step_chart_);
    lower_->addWidget(speedup_chart_);
    bottom_ = new QStackedWidget;
    bottom_->hide();
    centre_ = new QSplitter(Qt::Vertical);
    centre_->setHandleWidth(space::gap);
    centre_->setChildrenCollapsible(false);
    canvas_ = new Canvas(document_);
    canvas_->hide();
    centre_->addWidget(canvas_);
    centre_->addWidget(layer_chart_);
    centre_->addWidget(lower_);
    centre_->addWidget(bottom_);
    centre_->setStretchFactor(0, 20);
    centre_->setStretchFactor(1, 10);
    centre_->setStretchFactor(2, 11);
    centre_->setStretchFactor(3, 9);
    notice_ = new Banner(Banner::Kind::info, Banner::Form::box);
    failure_ = new Banner(Banner::Kind::error, Banner::Form::box);
    for (Banner* b : {notice_, failure_}) {
        b->set_closable(true);
        b->hide();
        column->addWidget(b);
    }
    column->addWidget(workers_);
    column->addWidget(centre_, 1);
    setCentralWidget(middle);
}

void MainWindow::build_docks() {
    network_ = new NetworkPanel(document_, library_);
    cluster_ = new ClusterPanel(document_, library_.catalogue);
    model_ = new ModelPanel(document_, library_.catalogue);
    why_ = new WhyPanel;
    numbers_ = new NumbersPanel;
    auto dock = [this](const QString& title, const char* name, Qt::DockWidgetArea area, int width) {
        auto* d = new DockCard(title, QLatin1String(name), this);
        d->setMinimumWidth(width);
        addDockWidget(area, d);
        return d;
    };
    network_dock_ = dock(tr("Network"), "networkDock", Qt::LeftDockWidgetArea, space::left_width);
    network_dock_->body()->add_wide(network_, 1);
    cluster_dock_ = dock(tr("Cluster"), "clusterDock", Qt::LeftDockWidgetArea, space::left_width);
    model_dock_ = dock(tr("Model"), "modelDock", Qt::LeftDockWidgetArea, space::left_width);
    design_dock_ = dock(tr("Cluster"), "designDock", Qt::LeftDockWidgetArea, space::left_width);
    add_home(cluster_, cluster_dock_->body(), design_dock_->body());
    add_home(model_, model_dock_->body(), design_dock_->add_page(tr("Model")));
    add_home(new TrainingPanel(document_), model_dock_->add_page(tr("Training")),
             design_dock_->add_page(tr("Training")));
    add_home(new OptionsPanel(document_), model_dock_->add_page(tr("Options")), design_dock_->add_page(tr("Options")));
    design_dock_->title_row()->show_buttons(false, false);  // four tabs take the room
    design_dock_->hide();
    why_dock_ = dock(tr("Why"), "whyDock", Qt::RightDockWidgetArea, space::right_width);
    why_dock_->body()->add(why_, 1);
    numbers_dock_ = dock(tr("Numbers"), "numbersDock", Qt::RightDockWidgetArea, space::right_width);
    numbers_dock_->body()->add(numbers_);
    build_canvas_docks();
    connect(cluster_, &ClusterPanel::edit_device_asked, this, [this] {
        auto* editor = new DeviceEditor(document_, this);
        editor->setAttribute(Qt::WA_DeleteOnClose);
        editor->QWidget::show();
    });
    connect(cluster_, &ClusterPanel::edit_link_asked, this, [this](bool inside) {
        auto* editor = new LinkEditor(document_, inside, this);
        editor->setAttribute(Qt::WA_DeleteOnClose);
        editor->QWidget::show();
    });
    connect(network_, &NetworkPanel::open_asked, this, &MainWindow::open_dialog);
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

/// A panel that stands in one card of the full window and in another of the compact one.
void MainWindow::add_home(QWidget* panel, CardBody* full, CardBody* compact) {
    Home home{panel, {}};
    for (const bool folded : {false, true}) {
        auto* room = new QWidget;
        home.rooms[folded] = new QVBoxLayout(room);
        home.rooms[folded]->setContentsMargins(0, 0, 0, 0);
        (folded ? compact : full)->add(room);
    }
    home.rooms[0]->addWidget(panel);
    homes_.push_back(home);
}

void MainWindow::size_docks() {
    resizeDocks({network_dock_, why_dock_}, {space::left_width, space::right_width}, Qt::Horizontal);
    size_rows();
}

void MainWindow::size_rows() {
    // Forms and figures get what they need, on whichever page; the list and the reasons take the rest.
    const int available = height() - 160, around = space::card_title + space::card_padding;
    const int cluster = cluster_->sizeHint().height() + around;
    int model = 0;
    for (const Home& home : homes_)
        if (home.panel != cluster_) model = std::max(model, home.panel->sizeHint().height() + around);
    const int numbers = numbers_->sizeHint().height() + around;
    if (left_folded_)
        resizeDocks({network_dock_, design_dock_},
                    {std::max(200, available - std::max(cluster, model)), std::max(cluster, model)}, Qt::Vertical);
    else
        resizeDocks({network_dock_, cluster_dock_, model_dock_},
                    {std::max(200, available - cluster - model), cluster, model}, Qt::Vertical);
    resizeDocks({why_dock_, numbers_dock_}, {std::max(200, available - numbers), numbers}, Qt::Vertical);
}

void MainWindow::connect_views() {
    connect(&document_, &Document::changed, this, [this] {
        // Wheels and held keys make edit after edit: those are answered like a drag, and in full at rest.
        const bool hasty = document_.dragging() || (last_edit_.isValid() && last_edit_.elapsed() < refine_->interval());
        last_edit_.start();
        request(!hasty);
        if (hasty) refine_->start();
        keep_session();
        // The form of the cluster has one row more for devices inside a node.
        const bool inside = document_.scenario().cluster.devices_per_node > 1;
        if (std::exchange(inside_shown_, inside) != inside) size_rows();
        // The crosshair follows the hand at once; the rest of the charts when they are computed.
        speedup_chart_->set_workers(static_cast<int>(document_.scenario().cluster.workers));
    });
    connect(&document_, &Document::state_changed, this, &MainWindow::update_title);
    // An edit announces itself before the history knows that the document is no longer as saved.
    connect(&document_, &Document::state_changed, this, &MainWindow::keep_session);
    // Whichever field has the keyboard, in a panel or a dialog: what is typed into it is one undo step.
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        const auto* field = qobject_cast<NumberField*>(now);
        if (!field) return;
        connect(field, &NumberField::typed, &document_, &Document::begin_typing, Qt::UniqueConnection);
        connect(field, &NumberField::editing_finished, &document_, &Document::end_typing, Qt::UniqueConnection);
    });
    connect(&document_.history(), &QUndoStack::indexChanged, this, [this](int index) {
        if (index > 0) hint_action_->setVisible(false);  // who has changed something needs no hint any more
    });
    connect(&live_, &Live::ready, this, &MainWindow::show_result);
    auto set_workers = [this](int n) {
        Scenario s = document_.scenario();
        s.cluster.workers = n;
        document_.edit(std::move(s));
    };
    connect(step_chart_, &StepTimeChart::workers_chosen, this, set_workers);
    connect(speedup_chart_, &SpeedupChart::workers_dragged, this, [this, set_workers](int n) {
        document_.begin_drag();
        set_workers(n);
    });
    connect(speedup_chart_, &SpeedupChart::workers_drag_finished, &document_, &Document::end_drag);
    connect(layer_chart_, &LayerTimeChart::layer_selected, this, &MainWindow::select);
    connect(timeline_chart_, &TimelineChart::layer_selected, this, &MainWindow::select);
    connect(network_, &NetworkPanel::selected, this, &MainWindow::select);
    connect(layer_table_, &LayerTable::selected, this, &MainWindow::select);
    connect(layer_chart_, &LayerTimeChart::layer_hovered, network_, &NetworkPanel::set_hovered);
    connect(timeline_chart_, &TimelineChart::layer_hovered, network_, &NetworkPanel::set_hovered);
    connect(layer_chart_, &LayerTimeChart::layer_hovered, layer_table_, &LayerTable::set_hovered);
    connect(timeline_chart_, &TimelineChart::layer_hovered, layer_table_, &LayerTable::set_hovered);
    connect(timeline_chart_, &TimelineChart::layer_hovered, layer_chart_, &LayerTimeChart::set_hovered_layer);
    connect(network_, &NetworkPanel::hovered, layer_chart_, &LayerTimeChart::set_hovered_layer);
    connect(network_, &NetworkPanel::hovered, layer_table_, &LayerTable::set_hovered);
    connect(layer_table_, &LayerTable::hovered, network_, &NetworkPanel::set_hovered);
    connect(layer_table_, &LayerTable::hovered, layer_chart_, &LayerTimeChart::set_hovered_layer);
    connect(why_, &WhyPanel::asked, this, [this](const Item& item) {
        why_->ask(item);
        const int key = item.layer >= 0 ? layer_key(item.part, item.layer) : -1;
        network_->set_selected(key);
        layer_chart_->set_selected_layer(key);
        timeline_chart_->set_selected_layer(key);
        layer_table_->set_selected(key);
        canvas_->set_selected(key);
    });
    connect_canvas();
    for (const auto& entry : charts())
        connect(entry.second, &Chart::view_changed, keep_soon_, qOverload<>(&QTimer::start));
    connect(why_, &WhyPanel::field_asked, this, &MainWindow::focus_field);
    connect(problems_, &ProblemsView::problem_activated, this, [this](int index) {
        if (problem_file_.isEmpty() && static_cast<std::size_t>(index) < fault_layers_.size())
            return go_to_fault(index);
        if (problem_file_.isEmpty() && static_cast<std::size_t>(index) < problem_fields_.size())
            focus_field(problem_fields_[static_cast<std::size_t>(index)]);
    });
    connect(numbers_, &NumbersPanel::why_asked, this, [this](const QString& figure) {
        static const std::vector<std::pair<QString, Topic>> topics{
            {QStringLiteral("step"), Topic::step},       {QStringLiteral("throughput"), Topic::throughput},
            {QStringLiteral("speedup"), Topic::speedup}, {QStringLiteral("efficiency"), Topic::efficiency},
            {QStringLiteral("forward"), Topic::forward}, {QStringLiteral("backward"), Topic::backward},
            {QStringLiteral("update"), Topic::update},   {QStringLiteral("communication"), Topic::communication},
            {QStringLiteral("hidden"), Topic::hidden},   {QStringLiteral("idle"), Topic::idle},
            {QStringLiteral("memory"), Topic::memory},   {QStringLiteral("epoch"), Topic::epoch},
            {QStringLiteral("cost"), Topic::cost}};
        for (const auto& entry : topics)
            if (entry.first == figure) {
                Item item;
                item.topic = entry.second;
                why_->ask(item);
                why_dock_->QWidget::show();
            }
    });
}

/// What the curves of the speedup chart are.
void MainWindow::compare(CurveSet set) {
    for (QAction* action : curve_actions_->actions()) action->setChecked(action->data().toString() == name_of(set));
    if (std::exchange(curve_set_, set) == set) return;
    request(true);
    keep_soon_->start();
}

void MainWindow::request(bool refine) {
    LiveRequest r;
    r.scenario = document_.scenario();
    r.curve_set = curve_set_;
    if (shows(paleo_))
        r.paleo = r.scenario.model.method == Method::pipeline ? paleo_->question() : paleo_question(r.scenario.model);
    r.dragging = !refine;
    live_.request(std::move(r));
    if (!slow_answer_->isActive()) slow_answer_->start();
}

void MainWindow::show_result(const LiveResultPtr& result) {
    result_ = result;
    slow_answer_->stop();
    QElapsedTimer timer;
    timer.start();
    const QStringList notes{scenario_context(result->request.scenario).join(QStringLiteral(", "))};
    layer_chart_->set_data(layer_chart_data(*result));
    step_chart_->set_data(step_chart_data(*result));
    speedup_chart_->set_data(speedup_chart_data(*result));
    for (const auto& entry : charts()) entry.second->set_notes(notes);
    show_result_below();
    if (canvas_shown()) canvas_->show_result(result);
    network_->show_result(*result);
    const int numbers_height = numbers_->sizeHint().height();
    numbers_->show_result(*result);
    if (const int more = numbers_->sizeHint().height() - numbers_height; more != 0 && numbers_dock_->isVisible())
        resizeDocks({why_dock_, numbers_dock_}, {why_dock_->height() - more, numbers_dock_->height() + more},
                    Qt::Vertical);
    why_->show_result(result);
    workers_->show_result(result);
    computed_ms_ = result->milliseconds;
    drawn_ms_ = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    for (const auto& entry : charts())
        if (entry.second->isVisible()) drawn_ms_ += entry.second->draw_ms();
    if (problem_file_.isEmpty()) show_design_problems();
    show_status();
    emit updated();
}

void MainWindow::show_status() {
    if (!result_) return;
    const bool good = result_->estimate.has_value();
    const QStringList times{tr("computed in %1 ms").arg(text(format_number(computed_ms_, 2))),
                            tr("drawn in %1 ms").arg(text(format_number(drawn_ms_, 2)))};
    if (document_.draft()) {
        const std::size_t faults = fault_layers_.size();
        status_->set_messages(
            {(faults == 1 ? tr("1 problem of the drawn network") : tr("%1 problems of the drawn network").arg(faults)) +
             tr("; prices are those of the last valid network")},
            StatusLine::State::error);
    } else if (!good)
        status_->set_messages({text(result_->estimate.error().front().what)}, StatusLine::State::error);
    else if (!problem_file_.isEmpty())
        status_->set_messages(QStringList(tr("Showing the last good state")) + times);
    else if (progress_action_->isVisible())
        status_->set_messages(times);
    else
        status_->set_messages(QStringList(tr("Ready")) + times);
    std::vector<StatusLine::Figure> figures;
    if (good && !side_bar_->isHidden())
        figures = {{tr("Step"), text(format_time(result_->estimate->summary.step)), {}, Change::none},
                   {tr("Speedup"), text(format_ratio(result_->estimate->speedup)), {}, Change::none},
                   {tr("Efficiency"), text(format_percent(Fraction{result_->estimate->efficiency})), {}, Change::none}};
    status_->set_figures(figures);
    status_->set_context(scenario_context(result_->request.scenario));
}

void MainWindow::select(int key) {
    network_->set_selected(key);
    layer_chart_->set_selected_layer(key);
    timeline_chart_->set_selected_layer(key);
    layer_table_->set_selected(key);
    canvas_->set_selected(key);
    Item item;
    if (key >= 0) {
        item.topic = Topic::layer;
        item.part = part_of_key(key);
        item.layer = position_of_key(key);
    }
    why_->ask(item);
}

void MainWindow::focus_field(const QString& path) {
    // The control of a field is the widget with its object name; panels that are folded away come forward.
    static const std::vector<std::pair<QString, QString>> controls{
        {QStringLiteral("cluster.workers"), QStringLiteral("workersField")},
        {QStringLiteral("training.batch"), QStringLiteral("batch")},
        {QStringLiteral("training.batch_rule"), QStringLiteral("batchRule")},
        {QStringLiteral("training.precision"), QStringLiteral("precision")},
        {QStringLiteral("training.optimizer"), QStringLiteral("optimizer")},
        {QStringLiteral("training.accumulation"), QStringLiteral("accumulation")},
        {QStringLiteral("training.data_set"), QStringLiteral("dataSet")},
        {QStringLiteral("training.input_limit"), QStringLiteral("inputLimit")},
        {QStringLiteral("cluster.devices_per_node"), QStringLiteral("perNode")},
        {QStringLiteral("cluster.nics_per_node"), QStringLiteral("nics")},
        {QStringLiteral("cluster.device"), QStringLiteral("device")},
        {QStringLiteral("cluster.between"), QStringLiteral("between")},
        {QStringLiteral("cluster.inside"), QStringLiteral("inside")},
        {QStringLiteral("parallelism.strategy"), QStringLiteral("strategy")},
        {QStringLiteral("parallelism.collective"), QStringLiteral("collective")},
        {QStringLiteral("parallelism.overlap"), QStringLiteral("overlap")},
        {QStringLiteral("parallelism.bucket"), QStringLiteral("bucket")},
        {QStringLiteral("parallelism.scheme"), QStringLiteral("scheme")},
        {QStringLiteral("parallelism.cut"), QStringLiteral("cut")},
        {QStringLiteral("parallelism.boundaries"), QStringLiteral("stages")},
        {QStringLiteral("parallelism.micro_batches"), QStringLiteral("microBatches")},
        {QStringLiteral("model.compute"), QStringLiteral("percentCompute")},
        {QStringLiteral("model.memory"), QStringLiteral("percentMemory")},
        {QStringLiteral("model.between"), QStringLiteral("percentLink")},
        {QStringLiteral("model.inside"), QStringLiteral("percentInside")},
        {QStringLiteral("model.launch"), QStringLiteral("launch")},
        {QStringLiteral("model.overlap_memory"), QStringLiteral("memoryOverlap")},
        {QStringLiteral("model.convolution"), QStringLiteral("convolution")},
        {QStringLiteral("workload"), QStringLiteral("network")}};
    QString name;
    qsizetype best = -1;
    for (const auto& entry : controls)  // "cluster.device.memory_bandwidth_gb_s" leads to the device
        if (path.startsWith(entry.first) && entry.first.size() > best) {
            best = entry.first.size();
            name = entry.second;
        }
    QWidget* control = name.isEmpty() ? nullptr : findChild<QWidget*>(name);
    if (!control) return;
    for (QWidget* w = control->parentWidget(); w; w = w->parentWidget())
        if (auto* dock = qobject_cast<DockCard*>(w)) {
            dock->QWidget::show();
            for (int page = 0; page < 4 && !control->isVisible(); ++page) dock->set_current_page(page);
        }
    control->setFocus(Qt::OtherFocusReason);
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

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (!std::exchange(sized_, true) && settings_.layout().isEmpty()) size_docks();
}

/// The canvas has its own docks, which stay.
void MainWindow::fold_docks() {
    if (canvas_shown()) return;
    fold_right(width() < full_width);
    fold_left(height() < full_height);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    fold_docks();
    make_room_below();
}

std::vector<std::pair<QString, Chart*>> MainWindow::charts() const {
    return {{QStringLiteral("layers"), layer_chart_},
            {QStringLiteral("step-time"), step_chart_},
            {QStringLiteral("speedup"), speedup_chart_},
            {QStringLiteral("timeline"), timeline_chart_},
            {QStringLiteral("from-paleo"), paleo_->chart()}};
}

}  // namespace scalescope::ui
