// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, tool bar, status line and the pages below the charts.
#include <QActionGroup>
#include <QApplication>
#include <QDesktopServices>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSplitter>
#include <QToolBar>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "core/scenario/hardware.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/charts/waterfall_chart.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/commands/command.hpp"
#include "ui/design/layer_list.hpp"
#include "ui/design/names.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/inspect/chart_mapping.hpp"
#include "ui/inspect/compare_page.hpp"
#include "ui/inspect/cpu_page.hpp"
#include "ui/inspect/device_map_page.hpp"
#include "ui/inspect/paleo_mapping.hpp"
#include "ui/inspect/roofline_mapping.hpp"
#include "ui/inspect/sensitivity_page.hpp"
#include "ui/inspect/staleness_page.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/problems_view.hpp"
#include "ui/widgets/progress_row.hpp"
#include "ui/widgets/status_line.hpp"
#include "ui/widgets/tabs.hpp"
#include "ui/window/centre_rows.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/lesson_stage.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/view_state.hpp"

namespace scalescope::ui {
void MainWindow::build_bottom() {
    problems_ = new ProblemsView;
    layer_table_ = new LayerList(LayerList::Columns::all);
    layer_table_->setObjectName(QStringLiteral("layerTable"));
    timeline_chart_ = new TimelineChart;
    timeline_chart_->setObjectName(QStringLiteral("timelineChart"));
    auto* paleo_chart = new WaterfallChart;
    paleo_chart->setObjectName(QStringLiteral("paleoChart"));
    MadeView paleo;
    paleo.shown_charts = {{QStringLiteral("from-paleo"), paleo_chart}};
    paleo.request = [](LiveRequest& next) {
        if (is_paleo(next.scenario.model.method)) next.paleo = paleo_question(next.scenario.model);
    };
    paleo.result = [paleo_chart](const LiveResultPtr& result) { paleo_chart->set_data(paleo_data(*result)); };
    connect(paleo_chart, &WaterfallChart::row_chosen, this,
            [this] { focus_field(QStringLiteral("model.paleo_corrections")); });
    auto add = [this](const char* id, const QString& title, QWidget* widget, View* view = nullptr,
                      bool (*exists)(const Scenario&) = nullptr) {
        pages_.push_back({QLatin1String(id), title, widget, view, exists});
        bottom_->addWidget(widget);
        tabs_->add_tab(pages_.back().id, title);
        // A page that the design does not have is emptied even unseen, so that its charts are not exported.
        if (view)
            presenter_.add(
                *view, [this, widget, exists] { return shows(widget) || (exists && !exists(document_.scenario())); });
    };
    add_views();
    MadeView timeline;
    timeline.shown_charts = {{QStringLiteral("timeline"), timeline_chart_}};
    timeline.result = [this](const LiveResultPtr& result) { timeline_chart_->set_data(timeline_chart_data(*result)); };
    auto card_of = [this](QWidget* content, const QString& title, int margin) {
        auto* card = new Card(title);
        card->body()->add_wide(content, 1, margin);
        card->title_row()->show_buttons(false, true);
        connect(card->title_row(), &CardTitle::close_clicked, this, [this] { show_bottom({}); });
        return card;
    };
    tabs_ = new BottomTabs;
    auto* problems_card = card_of(problems_, tr("Problems"), 0);
    problems_title_ = problems_card->title_row();
    problems_title_->add_widget(problems_->counts());
    auto* layers_card = card_of(layer_table_, tr("Layer table"), 4);
    connect(layer_table_, &LayerList::unit_changed, layers_card, [title = layers_card->title_row()](TimeUnit unit) {
        title->set_unit(tr("times in %1 per step").arg(unit_name(unit)));
    });
    add("problems", tr("Problems"), problems_card);
    add("layers", tr("Layer table"), layers_card);
    add("timeline", tr("Timeline"), timeline_chart_, &presenter_.keep(std::move(timeline)));
    add("paleo", tr("From PALEO"), paleo_chart, &presenter_.keep(std::move(paleo)),
        [](const Scenario& s) { return is_paleo(s.model.method); });
    sensitivity_ = new SensitivityPage;
    sensitivity_->setObjectName(QStringLiteral("sensitivityPage"));
    add("sensitivity", tr("Sensitivity"), sensitivity_, sensitivity_);
    compare_page_ = new ComparePage;
    compare_page_->setObjectName(QStringLiteral("comparePage"));
    add("compare", tr("Compare"), compare_page_, compare_page_);
    cpu_page_ = new CpuPage;
    cpu_page_->setObjectName(QStringLiteral("cpuPage"));
    add("cpu-cluster", tr("CPU cluster"), cpu_page_, cpu_page_, is_cpu_cluster);
    staleness_ = new StalenessPage(document_);
    staleness_->setObjectName(QStringLiteral("stalenessPage"));
    add("staleness", tr("Staleness"), staleness_, staleness_, has_staleness);
    memory_page_ = new QWidget;
    auto* memory = make_layout<QVBoxLayout>(memory_page_);
    memory->addWidget(memory_chart_);
    add("memory", tr("Memory"), memory_page_);
    device_map_ = new DeviceMapPage(document_);
    device_map_->setObjectName(QStringLiteral("deviceMapPage"));
    add("device-map", tr("Device map"), device_map_, device_map_, has_device_map);
    roofline_chart_ = new XyChart;
    roofline_chart_->setObjectName(QStringLiteral("rooflineChart"));
    roofline_chart_->set_title(tr("Roofline"));
    MadeView roofline;
    roofline.shown_charts = {{QStringLiteral("roofline"), roofline_chart_}};
    roofline.result = [this](const LiveResultPtr& result) { roofline_chart_->set_data(roofline_data(*result)); };
    add("roofline", tr("Roofline"), roofline_chart_, &presenter_.keep(std::move(roofline)),
        [](const Scenario& s) { return s.model.method == Method::pipeline; });
    show_fitting_tabs();
    tabs_->set_count(QStringLiteral("problems"), 0);
    connect(tabs_, &BottomTabs::current_changed, this, &MainWindow::show_bottom);
    connect(tabs_, &BottomTabs::alone_changed, this, &MainWindow::make_room_below);
    connect(problems_, &ProblemsView::read_again_clicked, this, [this] { open(problem_file_); });
    connect(problems_, &ProblemsView::open_in_editor_clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(problem_file_)); });

    auto* bar = new QToolBar(tr("Pages"));
    bar->setObjectName(QStringLiteral("pagesBar"));
    bar->setMovable(false);
    bar->addWidget(tabs_);
    addToolBar(Qt::BottomToolBarArea, bar);
}

QString MainWindow::page() const { return tabs_->current(); }

void MainWindow::show_bottom(const QString& page) {
    tabs_->set_current(page);
    const auto found = std::find_if(pages_.begin(), pages_.end(), [&](const Page& p) { return p.id == page; });
    if (found == pages_.end()) {
        bottom_->hide();
        make_room_below();
        if (canvas_shown()) size_centre();
        return;
    }
    bottom_->setCurrentWidget(found->widget);
    const bool fresh = bottom_->isHidden();
    bottom_->setVisible(true);
    make_room_below();
    if (fresh) size_centre();
    if (found->view) presenter_.look_at(*found->view);
    files_->keep_soon();
    show_fitting_tabs();
}

/// Pages about a method, several devices, or a kind of updates, have a tab where the scenario has it, or somebody looks
/// at them.
void MainWindow::show_fitting_tabs() {
    for (const Page& page : pages_)
        if (page.exists) tabs_->tab(page.id)->setVisible(page.exists(document_.scenario()) || shows(page.widget));
    tabs_->tab(QStringLiteral("memory"))->setVisible(!upper_->isAncestorOf(memory_chart_));
}

/// Where not all fits, charts fold: the lower ones first. What is on show can be read.
void MainWindow::make_room_below() {
    const bool page = !bottom_->isHidden(), canvas = canvas_shown(), alone = page && tabs_->alone();
    centre_->set_rows({{canvas_, canvas && !alone},
                       {upper_, !alone, page || !canvas},
                       {lower_, !canvas && !alone, true},
                       {bottom_, page}});
}

bool MainWindow::shows(const QWidget* page) const {
    const QWidget* current = bottom_->currentWidget();
    // Not "is visible": a window that is about to be shown wants its page filled too.
    return !bottom_->isHidden() && (current == page || current->isAncestorOf(page));
}

void MainWindow::build_status() {
    status_ = new StatusLine;
    auto* bar = new QToolBar(tr("Status"));
    bar->setObjectName(QStringLiteral("statusBar"));
    bar->setMovable(false);
    progress_ = new ProgressRow;
    progress_action_ = bar->addWidget(progress_);
    progress_action_->setVisible(false);
    bar->addWidget(status_);
    show_progress_of(loader(), tr("Reading %1"));
    show_progress_of(exports_->report_work(), QStringLiteral("%1"));
    connect(progress_, &ProgressRow::cancelled, files_.get(), &Files::cancel_opening);
    connect(progress_, &ProgressRow::cancelled, &exports_->report_work(), &Background::cancel);
    addToolBar(Qt::BottomToolBarArea, bar);
    addToolBarBreak(Qt::BottomToolBarArea);
    connect(status_, &StatusLine::message_clicked, this, [this] { show_bottom(QStringLiteral("problems")); });
}

/// `text` names the work as the person who waits reads it.
void MainWindow::show_progress_of(Background& work, const QString& text) {
    connect(&work, &Background::slow, this, [this, text](const QString& name) {
        progress_->start(text.arg(name));
        show_progress(true);
    });
    connect(&work, &Background::progressed, progress_, &ProgressRow::set_progress);
    connect(&work, &Background::ended, this, [this] { show_progress(false); });
}

void MainWindow::show_progress(bool on) {
    progress_action_->setVisible(on);
    show_status();
}

void MainWindow::build_actions() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&New network"), QKeySequence::New, this, [this] {
        forget_problems();
        document_.new_network();
        canvas_action_->setChecked(true);
    });
    files_->fill_menu(*file);
    file->addSeparator();
    QMenu* export_menu = file->addMenu(tr("&Export"));
    exports_->fill_menu(*export_menu);
    exports_->add_actions(*file);
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = document_.histories().createUndoAction(this, tr("Undo"));
    QAction* redo = document_.histories().createRedoAction(this, tr("Redo"));
    undo->setShortcut(QKeySequence::Undo);
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    undo->setIcon(icon("undo"));
    redo->setIcon(icon("redo"));
    undo->setIconText(tr("Undo"));
    redo->setIconText(tr("Redo"));
    // The step's name changes with every event of a drag, and each time the tool bar would lay out the whole window.
    QUndoGroup& histories = document_.histories();
    disconnect(&histories, &QUndoGroup::undoTextChanged, undo, nullptr);
    disconnect(&histories, &QUndoGroup::redoTextChanged, redo, nullptr);
    const auto name_steps = [this, undo, redo, &histories] {
        if (document_.dragging()) return;
        undo->setText((tr("Undo") + QLatin1Char(' ') + histories.undoText()).trimmed());
        redo->setText((tr("Redo") + QLatin1Char(' ') + histories.redoText()).trimmed());
    };
    connect(&histories, &QUndoGroup::undoTextChanged, this, name_steps);
    connect(&histories, &QUndoGroup::redoTextChanged, this, name_steps);
    connect(this, &MainWindow::updated, this, name_steps);  // the hand rests
    undo->setObjectName(QStringLiteral("undo"));
    redo->setObjectName(QStringLiteral("redo"));
    set_why_not(*undo, tr("Nothing has been changed yet"));
    set_why_not(*redo, tr("Nothing has been undone"));
    edit->addAction(undo);
    edit->addAction(redo);
    edit->addSeparator();
    for (QAction* a : canvas_->edit_actions()) edit->addAction(a);
    edit->addSeparator();
    QAction* copy = edit->addAction(tr("C&opy the scenario as text"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                                    files_.get(), &Files::copy_link);
    copy->setObjectName(QStringLiteral("copyLink"));
    copy->setToolTip(tr("Copy the scenario as one line of text, for a message or another Scalescope (Ctrl+Shift+C)"));
    exports_->fill_copy_menu(*edit->addMenu(tr("Copy as a &configuration for")));
    QAction* paste = edit->addAction(tr("P&aste a scenario"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V),
                                     files_.get(), &Files::paste);
    paste->setObjectName(QStringLiteral("pasteLink"));
    paste->setToolTip(tr("Opens a scenario or a training configuration that was copied as text (Ctrl+Shift+V)"));
    edit->addSeparator();
    add_preferences(*edit);

    QMenu* view = menuBar()->addMenu(tr("&View"));
    curve_actions_ = new QActionGroup(this);
    QMenu* compare = view->addMenu(tr("Speedup &compares"));
    connect(compare, &QMenu::aboutToShow, this, [this] {
        for (QAction* a : curve_actions_->actions()) {
            const QString name = title_of(static_cast<CurveSet>(curve_actions_->actions().indexOf(a)),
                                          is_cpu_cluster(document_.scenario()));
            a->setVisible(!name.isEmpty());
            a->setText(name);
        }
    });
    for (CurveSet set : {CurveSet::ways, CurveSet::collectives, CurveSet::schemes}) {
        QAction* a = compare->addAction(title_of(set), this, [this, set] { this->compare(set); });
        a->setCheckable(true);
        a->setChecked(set == presenter_.curve_set());
        a->setData(name_of(set));
        curve_actions_->addAction(a);
    }
    view->addSeparator();
    canvas_action_ = view->addAction(icon("layers"), tr("&Canvas"));
    canvas_action_->setCheckable(true);
    canvas_action_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_G));
    canvas_action_->setToolTip(tr("The network as a drawing (Ctrl+G)"));
    connect(canvas_action_, &QAction::toggled, this, &MainWindow::show_canvas);
    view->addSeparator();
    workers_action_ = view->addAction(icon("chip"), tr("&Workers and strategy"));
    workers_action_->setCheckable(true);
    workers_action_->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W));
    workers_action_->setToolTip(tr("Workers and strategy above the canvas (Ctrl+Shift+W)"));
    workers_action_->setVisible(false);  // beside the charts they are always there
    connect(workers_action_, &QAction::toggled, this, [this](bool on) { workers_->setVisible(on || !canvas_shown()); });
    canvas_->add_button(workers_action_);
    for (DockCard* d : {palette_dock_, properties_dock_}) {
        view->addAction(d->toggleViewAction());
        d->toggleViewAction()->setVisible(false);  // beside the canvas only
    }
    for (DockCard* d : {network_dock_, cluster_dock_, model_dock_, design_dock_, why_dock_, numbers_dock_})
        view->addAction(d->toggleViewAction());
    design_dock_->toggleViewAction()->setText(tr("Cluster and settings"));
    design_dock_->toggleViewAction()->setVisible(false);
    view->addSeparator();
    QAction* measure = view->addAction(icon("table"), tr("&Measurements"), QKeySequence(Qt::CTRL | Qt::Key_M),
                                       beside_.get(), &SideWindows::show_measurements);
    measure->setObjectName(QStringLiteral("measurements"));
    measure->setToolTip(tr("Measured runs and models fitted to them (Ctrl+M)"));
    view->addSeparator();
    int digit = Qt::Key_1;
    for (const Page& p : pages_) {
        const QString page = p.id;
        view->addAction(p.title, QKeySequence(Qt::CTRL | static_cast<Qt::Key>(digit++)), this,
                        [this, page] { show_bottom(page); });
    }
    view->addSeparator();
    build_appearance(*view);
    view->addAction(tr("Reset &layout"), this, &MainWindow::reset_layout);

    QMenu* scenario = menuBar()->addMenu(tr("&Scenario"));
    QAction* gallery = scenario->addAction(tr("P&resets…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), this,
                                           &MainWindow::open_gallery);
    gallery->setObjectName(QStringLiteral("presets"));
    gallery->setToolTip(tr("Browse networks, scenarios and devices with pictures (Ctrl+Shift+O)"));
    scenario->addSeparator();
    QAction* find =
        scenario->addAction(icon("search"), tr("&Find the best…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F),
                            beside_.get(), &SideWindows::show_finder);
    find->setObjectName(QStringLiteral("findBest"));
    find->setToolTip(tr("The best configurations around this scenario, and why (Ctrl+Shift+F)"));
    QAction* pin = scenario->addAction(icon("pin"), {});
    pin->setObjectName(QStringLiteral("pin"));
    pin->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_K));
    connect_pins(*pin);
    scenario
        ->addAction(tr("Find a &setting"), QKeySequence(Qt::CTRL | Qt::Key_Comma), this, [this] { focus_field({}); })
        ->setObjectName(QStringLiteral("allSettings"));
    QAction* adapters = scenario->addAction(tr("&Low-rank adapters (LoRA)…"), this, &MainWindow::ask_for_adapters);
    adapters->setObjectName(QStringLiteral("adapters"));
    adapters->setToolTip(tr("Fine-tune a few weights beside the products of the network, and freeze all others"));
    scenario->addSeparator();
    scenario->addAction(icon("reset"), tr("&Reset to example"), files_.get(), &Files::reset_to_example);

    lessons_->fill_menu(*menuBar()->addMenu(tr("&Lessons")));

    build_help(*menuBar()->addMenu(tr("&Help")));

    auto* bar = new QToolBar(tr("Main"));
    bar->setObjectName(QStringLiteral("mainBar"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    files_->open_action()->setIconText(tr("Open"));
    files_->save_action()->setIconText(tr("Save"));
    bar->addAction(files_->open_action());
    bar->addAction(files_->save_action());
    bar->addSeparator();
    bar->addAction(undo);
    bar->addAction(redo);
    for (QAction* a : {undo, redo})  // known by their arrows; small windows need the room
        if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(a)))
            button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    bar->addSeparator();
    bar->addAction(canvas_action_);
    bar->addAction(measure);
    bar->addAction(find);
    bar->addSeparator();
    bar->addAction(pin);
    auto* export_button = new QToolButton;
    export_button->setText(tr("Export"));
    export_button->setIcon(icon("export"));
    export_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    export_button->setMenu(export_menu);
    export_button->setPopupMode(QToolButton::InstantPopup);
    export_button->setAccessibleName(tr("Export"));
    bar->addWidget(export_button);
    auto* spacer = new QWidget;
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    spacer->setFixedHeight(space::toolbar_height);  // the bar takes the height of its highest item
    bar->addWidget(spacer);
    auto* theme_button = make_icon_button("theme", tr("Switch between light and dark"), Tint::text);
    connect(theme_button, &QToolButton::clicked, this, [this] {
        settings_.set_theme(theme().dark ? ThemeChoice::light : ThemeChoice::dark);
        apply_appearance();
    });
    bar->addWidget(theme_button);
    addToolBar(Qt::TopToolBarArea, bar);
    update_title();
}

}  // namespace scalescope::ui
