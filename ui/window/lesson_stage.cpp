// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lesson_stage.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QLayout>
#include <QScopedValueRollback>
#include <QScreen>
#include <QScrollArea>
#include <QTimer>
#include <QToolBar>
#include <algorithm>
#include <utility>

#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/charts/chart.hpp"
#include "ui/design/cluster_panel.hpp"
#include "ui/design/field_controls.hpp"
#include "ui/design/layer_list.hpp"
#include "ui/design/mesh_equation.hpp"
#include "ui/design/network_panel.hpp"
#include "ui/design/settings_panel.hpp"
#include "ui/design/verdict_card.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/inspect/cpu_page.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/curtain.hpp"
#include "ui/widgets/flow_layout.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/tabs.hpp"
#include "ui/window/centre_rows.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {
namespace {

/// Below it, a lesson has no room beside the panels of what is given.
constexpr int room_for_given = 1200;
/// From here on, figures and reasons stand open at the right.
constexpr int room_for_figures = 1280;
/// A lesson that stands beside much gives way, down to this.
constexpr int least_lesson_width = 300;
/// Until then all that a step shows and hides has asked for its room.
constexpr int settling_ms = 200, longest_settling_ms = 2000;

bool contains(const std::vector<std::string>& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

/// What hides with a control: the row of a form, or the group of a flow.
QWidget* row_of(QWidget* control) {
    for (QWidget* w = control; w->parentWidget(); w = w->parentWidget()) {
        QWidget* around = w->parentWidget();
        if (qobject_cast<Form*>(around) || dynamic_cast<FlowLayout*>(around->layout()) ||
            w->objectName() == QLatin1String("workersRow"))
            return w;
        if (qobject_cast<DockCard*>(around)) break;
    }
    return control;
}

}  // namespace

LessonStage::LessonStage(MainWindow& window, DockCard& dock) : QObject(&window), window_(window), dock_(dock) {
    window.installEventFilter(this);
    settled_ = new QTimer(this);
    settled_->setSingleShot(true);
    settled_->setInterval(settling_ms);
    connect(settled_, &QTimer::timeout, this, [this] {
        settle_size();
        reveal();
        if (awaits_answer_ && !since_step_.hasExpired(longest_settling_ms)) return settled_->start();
        kept_ = {};  // later on it is a hand that makes the window larger
    });
}

void LessonStage::begin() {
    lesson_layout_.clear();
    keep_layout();
    keep_size();
    lesson_ = true;
    step_ = {};
    // Steps have the mesh that they say. On the way back, the view tells whether Auto goes on.
    window_.workers_->set_mesh_view(false, {});
    settle();
    fit_dock();
}

int LessonStage::wanted_width() const { return std::min<int>(Px{space::lesson_width}, room().width() * 2 / 5); }

void LessonStage::fit_dock() {
    give_way();
    QList<QDockWidget*> docks;
    QList<int> widths;
    // Words and figures stand beside each other there.
    if (room().width() >= room_for_figures && window_.why_dock_->isVisible() && !window_.why_dock_->isFloating())
        docks << window_.why_dock_, widths << std::min<int>(Px{space::right_width}, room().width() / 4);
    if (lesson_) docks << &dock_, widths << wanted_width();
    if (!docks.isEmpty()) window_.resizeDocks(docks, widths, Qt::Horizontal);
}

/// Before Qt asks all panels what they need: it would make the window larger, over the edge of a screen it fills.
bool LessonStage::eventFilter(QObject* object, QEvent* event) {
    if (object == &window_ && event->type() == QEvent::LayoutRequest && is_on()) {
        give_way();
        if (kept_.isValid()) settled_->start();  // not yet
    }
    return QObject::eventFilter(object, event);
}

void LessonStage::give_way() {
    const int wanted = wanted_width(), width = room().width();
    if (dock_.isHidden()) return dock_.setMinimumWidth(wanted);
    const int others = window_.layout()->totalMinimumSize().width() - dock_.minimumWidth();
    dock_.setMinimumWidth(std::clamp(width - others, std::min(least_lesson_width, wanted), wanted));
    if (window_.width() > width) QTimer::singleShot(0, this, &LessonStage::restore_size);
}

void LessonStage::show(const lessons::Step& step) {
    keep_size();
    awaits_answer_ = true;
    since_step_.start();
    fit_dock();
    open_curtains();
    step_ = step;
    hide_controls();
    show_pages();
    settle();
    light();
}

void LessonStage::end() {
    lesson_layout_.clear();
    keep_size();
    spotlight_.clear();
    window_.centre_->set_in_sight({});
    window_.make_room_below();
    open_curtains();
    step_ = {};
    show_pages();
    lesson_ = false;
    settle();
}

void LessonStage::set_presenting(bool on) {
    if (on) keep_layout();
    if (on && lesson_) lesson_layout_ = window_.saveState(Settings::layout_version);
    keep_size();
    presenting_ = on;
    put_page_away();
    settle();
    fit_dock();
    if (!on && !lesson_layout_.isEmpty()) {
        without_settling([this] { window_.restoreState(lesson_layout_, Settings::layout_version); });
        lesson_layout_.clear();
        settle();  // another step may be open now
    }
    if (!on && window_.tabs_->current().isEmpty()) window_.show_bottom(std::exchange(put_away_page_, {}));
}

void LessonStage::put_page_away() {
    const QString page = window_.tabs_->current();
    if (!presenting_ || page.isEmpty() || page == opened_page_) return;
    put_away_page_ = page;
    window_.show_bottom({});
}

QSize LessonStage::room() const {
    const QSize own = kept_.isValid() && window_.windowState() == state_ ? kept_ : window_.size();
    return window_.isFullScreen() ? own.boundedTo(window_.screen()->size()) : own;
}

/// While panels come and go the window may need more room for a moment than it does in the end, and Qt makes it larger
/// but never smaller again.
void LessonStage::keep_size() {
    if (!kept_.isValid()) {
        kept_ = window_.size();
        state_ = window_.windowState();
    }
    QTimer::singleShot(0, this, &LessonStage::settle_size);  // most of it, before anybody sees
    settled_->start();
}

void LessonStage::settle_size() {
    if (is_on()) fit_dock();  // or it keeps the width of what stood beside it
    restore_size();
}

void LessonStage::restore_size() {
    const QSize most = room();
    if (window_.width() <= most.width() && window_.height() <= most.height()) return;
    window_.layout()->activate();  // until then the window cannot be as small
    window_.resize(most);
}

void LessonStage::keep_layout() {
    if (is_on()) return;
    layout_ = window_.saveState(Settings::layout_version);
    for (const int i : {0, 1}) layouts_[i] = window_.layouts_[i];
    canvas_ = window_.canvas_shown();
    numbers_height_ = window_.numbers_height_;
    shown_.clear();
    for (const DockCard* d : window_.findChildren<DockCard*>())
        if (!d->isHidden()) shown_.insert(d);
    if (!window_.side_bar_->isHidden()) shown_.insert(window_.side_bar_);
}

void LessonStage::restore_layout() {
    dock_.hide();
    window_.canvas_action_->setChecked(canvas_);
    window_.restoreState(layout_, Settings::layout_version);
    window_.numbers_height_ = numbers_height_;
    for (const int i : {0, 1}) window_.layouts_[i] = layouts_[i];
    window_.workers_->setVisible(!canvas_ || window_.workers_action_->isChecked());
    window_.fit_workers();
    // What the window has become meanwhile counts more than what it was.
    window_.left_folded_ = shown_.count(window_.design_dock_) > 0;
    window_.move_home(window_.left_folded_);
    window_.fold_docks();
    // Answers about what is open again change how high the figures are, which the docks knew before: up to the full
    // one.
    auto* until_full = new QObject(this);
    connect(&window_, &MainWindow::updated, until_full, [this, until_full, layout = layout_] {
        const LiveRequest& about = window_.result()->request;
        if (!is_on() && about.pins != window_.document_.pins()) return;
        if (!is_on()) window_.restoreState(layout, Settings::layout_version);
        if (is_on() || !about.dragging) until_full->deleteLater();
    });
}

bool LessonStage::names(const std::vector<std::string>& list, const char* panel, const QWidget* content) const {
    if (contains(list, panel)) return true;
    if (!content) return false;
    return std::any_of(list.begin(), list.end(), [&](const std::string& name) {
        const QWidget* w = place(name);
        return w && w != content && content->isAncestorOf(w);
    });
}

bool LessonStage::has_room_at_right() const {
    return room().width() >= room_for_figures + (lesson_ ? space::lesson_width : 0);
}

LessonStage::Wish LessonStage::wish_of(const char* panel, const QWidget* content, bool room) const {
    if (contains(step_.hide, panel)) return Wish::no;
    if (names(step_.show, panel, content) || names(step_.point, panel, content)) return Wish::yes;
    return room && step_.show.empty() && !presenting_ ? Wish::as_before : Wish::no;
}

/// A dock that is being shown makes the window lay itself out anew; hidden in the midst of that it would stay half
/// there.
void LessonStage::without_settling(const std::function<void()>& change) {
    const QScopedValueRollback<bool> held(settling_, true);
    change();
}

void LessonStage::settle() {
    if (settling_) return;
    settling_ = true;
    if (!is_on()) {
        if (!layout_.isEmpty()) restore_layout();
        layout_.clear();
        settling_ = false;
        return;
    }
    if (!lesson_) dock_.hide();
    const bool right = has_room_at_right();
    const auto wanted = [&](Wish wish, const QWidget* dock) {
        return wish == Wish::yes || (wish == Wish::as_before && shown_.count(dock) > 0);
    };
    const bool folded = !right || presenting_;
    const Wish why = wish_of("why", nullptr, right), numbers = wish_of("numbers", nullptr, right);
    const QString open = folded && !presenting_ ? window_.side_tabs_->current() : QString();
    const bool why_on = why == Wish::yes || (folded ? open == QLatin1String("why") : wanted(why, window_.why_dock_));
    const bool numbers_on =
        numbers == Wish::yes || (folded ? open == QLatin1String("numbers") : wanted(numbers, window_.numbers_dock_));
    // Three columns beside the charts would leave these none.
    const bool left = room().width() >= room_for_given + (why_on || numbers_on ? space::right_width : 0);
    window_.network_dock_->setVisible(wanted(wish_of("network", window_.network_, left), window_.network_dock_));
    const bool two = shown_.count(window_.design_dock_) == 0;  // before
    const Wish cluster = wish_of("cluster", window_.cluster_, left);
    const Wish model = wish_of("model", window_.model_, left);
    const bool cluster_on = wanted(cluster, two ? window_.cluster_dock_ : window_.design_dock_);
    const bool model_on = wanted(model, two ? window_.model_dock_ : window_.design_dock_);
    window_.cluster_dock_->setVisible(!window_.left_folded_ && cluster_on);
    window_.model_dock_->setVisible(!window_.left_folded_ && model_on);
    window_.design_dock_->setVisible(window_.left_folded_ && (cluster_on || model_on));
    window_.side_bar_->setVisible(folded && !presenting_);
    window_.why_dock_->setVisible(why_on);
    window_.numbers_dock_->setVisible(numbers_on);
    if (presenting_)
        for (DockCard* d : {window_.palette_dock_, window_.properties_dock_}) d->hide();
    window_.fit_workers();
    window_.workers_->setVisible(!contains(step_.hide, "workers") &&
                                 (!window_.canvas_shown() || window_.workers_action_->isChecked() ||
                                  names(step_.show, "workers", window_.workers_) ||
                                  names(step_.point, "workers", window_.workers_)));
    if (lesson_ && dock_.isHidden()) {
        // Once the others have made room: the window would grow.
        for (QWidget* w : std::initializer_list<QWidget*>{window_.centralWidget(), &window_})
            QCoreApplication::sendPostedEvents(w, QEvent::LayoutRequest);
        // A column of its own beside whatever stands at the right.
        window_.addDockWidget(Qt::RightDockWidgetArea, &dock_, Qt::Horizontal);
        dock_.QWidget::show();
    }
    if (lesson_ && numbers == Wish::yes && !right) {
        // Where there is no room for a third column they stand below the cluster, or else below the lesson.
        DockCard* cluster_dock = window_.left_folded_ ? window_.design_dock_ : window_.cluster_dock_;
        DockCard* above = !cluster_dock->isHidden() ? cluster_dock : left ? nullptr : &dock_;
        if (above) window_.splitDockWidget(above, window_.numbers_dock_, Qt::Vertical);
    }
    settling_ = false;
}

void LessonStage::show_answer() {
    awaits_answer_ = false;
    settled_->start();
    if (names(step_.point, "canvas", window_.canvas_) && window_.canvas_shown()) window_.canvas_->view().show_border();
}

void LessonStage::open_curtains() {
    for (QWidget* w : curtained_) set_curtained(*w, false);
    curtained_.clear();
}

/// If the step names controls to show, all others that have a name go.
void LessonStage::hide_controls() {
    const std::vector<Panel> panels = this->panels();
    std::set<QWidget*> stay, go;
    const auto row = [&](const std::string& name) -> QWidget* {
        QWidget* control = place(name);
        return control ? row_of(control) : nullptr;
    };
    for (const std::string& name : step_.show) {
        stay.insert(row(name));
        if (const QWidget* control = place(name)) window_.model_->bring_to_sight(*control);
    }
    for (const std::string& name : step_.point) stay.insert(row(name));
    const auto whole = [&](const QWidget* w) {
        return std::any_of(panels.begin(), panels.end(), [&](const Panel& panel) {
            return contains(step_.show, panel.name) && panel.widget->isAncestorOf(w);
        });
    };
    if (!step_.show.empty())
        for (const auto& [path, name] : field_controls())
            if (auto* control = window_.findChild<QWidget*>(name))
                if (!whole(control)) go.insert(row_of(control));
    for (const std::string& name : step_.hide)
        if (name.find('.') != std::string::npos)
            if (QWidget* w = row(name)) go.insert(w);
    for (const Panel& panel : panels)
        if (panel.curtained && contains(step_.hide, panel.name)) go.insert(row_of(panel.widget));
    for (QWidget* w : go) {
        if (stay.count(w) > 0) continue;
        set_curtained(*w, true);
        curtained_.push_back(w);
    }
}

/// The page below the charts and the canvas, for charts and panels that stand there.
void LessonStage::show_pages() {
    QString page;
    for (const std::string& name : step_.charts)
        if (const QWidget* chart = place(name))
            for (const auto& one : window_.pages_)
                if (one.widget == chart || one.widget->isAncestorOf(chart)) {
                    page = one.id;
                    window_.cpu_page_->show_chart(chart);
                }
    const auto asked = [&](const char* name) { return contains(step_.show, name) || contains(step_.point, name); };
    if (asked("layer-table")) page = QStringLiteral("layers");
    if (!page.isEmpty() && window_.tabs_->tab(page)) {
        window_.show_bottom(page);
        opened_page_ = page;
    } else if (!opened_page_.isEmpty()) {
        if (window_.tabs_->current() == opened_page_) window_.show_bottom({});
        opened_page_.clear();
    }
    if (asked("canvas") != opened_canvas_) {
        opened_canvas_ = asked("canvas");
        window_.canvas_action_->setChecked(opened_canvas_);
        // It is there to be read; who wants to draw beside a lesson opens them.
        if (opened_canvas_ && !has_room_at_right())
            for (DockCard* d : {window_.palette_dock_, window_.properties_dock_}) d->hide();
    }
}

std::vector<LessonStage::Panel> LessonStage::panels() const {
    return {{"network", window_.network_},
            {"cluster", window_.cluster_},
            {"model", window_.model_},
            {"workers", window_.workers_},
            {"why", window_.why_dock_},
            {"numbers", window_.numbers_dock_},
            {"layer-table", window_.layer_table_},
            {"canvas", window_.canvas_},
            {"verdict", window_.verdict_, true},
            {"parallelism", window_.workers_->findChild<MeshEquation*>(), true}};
}

QWidget* LessonStage::place(const std::string& name) const {
    for (const Panel& panel : panels())
        if (name == panel.name) return panel.widget;
    const QString wanted = QString::fromStdString(name);
    for (const auto& [id, chart] : window_.charts())
        if (id == wanted) return chart;
    const QString control = control_of_field(wanted);
    return control.isEmpty() ? nullptr : window_.findChild<QWidget*>(control);
}

void LessonStage::light() {
    std::vector<Spotlight::Target> targets;
    std::vector<QWidget*> charts;
    for (const std::string& name : step_.charts)
        if (QWidget* chart = place(name)) {
            targets.push_back({chart, Spotlight::Kind::ring});
            charts.push_back(chart);
        }
    window_.centre_->set_in_sight(charts);
    window_.make_room_below();
    for (const std::string& name : step_.point) {
        QWidget* at = place(name);
        if (!at) continue;
        const bool panel = name.find('.') == std::string::npos;
        if (!panel) open_page_of(*at);
        if (at->objectName() == QLatin1String("workersField")) at = row_of(at);
        targets.push_back({at, panel ? Spotlight::Kind::ring : Spotlight::Kind::pointer});
    }
    spotlight_.set_targets(targets);
    reveal();
}

/// The page of its dock. Some controls are there only once the step has its answer: those of CPU clusters, if another
/// design was open before.
void LessonStage::open_page_of(const QWidget& control) {
    window_.model_->bring_to_sight(control);
    DockCard* dock = nullptr;
    for (QWidget* w = control.parentWidget(); w && !dock; w = w->parentWidget()) dock = qobject_cast<DockCard*>(w);
    if (!dock || dock->isHidden() || control.isVisible()) return;
    const int before = dock->current_page();
    for (int page = 0; page < 2 && !control.isVisible(); ++page) dock->set_current_page(page);
    if (!control.isVisible()) dock->set_current_page(before);
}

/// What is pointed at is on the page that is open, and in a panel that scrolls it is scrolled to.
void LessonStage::reveal() {
    for (const std::string& name : step_.point) {
        QWidget* at = name.find('.') == std::string::npos ? nullptr : place(name);
        if (at && kept_.isValid()) open_page_of(*at);  // later on a hand chooses pages
        for (QWidget* w = at ? at->parentWidget() : nullptr; w && !w->isWindow(); w = w->parentWidget())
            if (auto* pane = qobject_cast<QScrollArea*>(w)) pane->ensureWidgetVisible(at, 0, space::card_padding);
    }
}

}  // namespace scalescope::ui
