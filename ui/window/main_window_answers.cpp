// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario out, an answer in: who is asked, and who is told.
#include <QActionGroup>
#include <QElapsedTimer>
#include <QToolBar>
#include <algorithm>
#include <utility>

#include "core/base/format.hpp"
#include "core/estimate/utilization.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/stack_chart.hpp"
#include "ui/charts/step_time_chart.hpp"
#include "ui/design/network_panel.hpp"
#include "ui/design/verdict_card.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/document/keeping.hpp"
#include "ui/inspect/chart_mapping.hpp"
#include "ui/inspect/compare_page.hpp"
#include "ui/inspect/cpu_page.hpp"
#include "ui/inspect/numbers_panel.hpp"
#include "ui/inspect/sensitivity_mapping.hpp"
#include "ui/inspect/sensitivity_page.hpp"
#include "ui/inspect/staleness_page.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/status_line.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/lesson_stage.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/view_state.hpp"

namespace scalescope::ui {
namespace {

/// Where the Numbers are folded away, the status line says what they rest on.
QString step_name(const ScenarioEvidence& evidence) {
    switch (evidence.state) {
        case ScenarioEvidence::State::uncalibrated: break;
        case ScenarioEvidence::State::changed: return MainWindow::tr("Step, changed since calibrated");
        case ScenarioEvidence::State::calibrated: return MainWindow::tr("Step, calibrated");
        case ScenarioEvidence::State::extrapolated: return MainWindow::tr("Step, extrapolated");
    }
    return MainWindow::tr("Step");
}

}  // namespace

/// What the curves of the speedup chart are.
void MainWindow::compare(CurveSet set) {
    for (QAction* action : curve_actions_->actions()) action->setChecked(action->data().toString() == name_of(set));
    if (presenter_.set_curve_set(set)) files_->keep_soon();
}

/// The views beside and above the pages, which are added with their tabs.
void MainWindow::add_views() {
    MadeView why;  // first: it moves the selection to the new networks, which the other views then show
    why.result = [this](const LiveResultPtr& result) { why_->show_result(result, follow(*result)); };
    why.request = [this](LiveRequest& next) { next.rates = !lessons_ || !lessons_->stage().is_on(); };
    presenter_.add(std::move(why));
    MadeView layers;
    layers.shown_charts = {{QStringLiteral("layers"), layer_chart_}};
    layers.result = [this](const LiveResultPtr&) { show_layer_times(); };
    presenter_.add(std::move(layers));
    MadeView steps;
    steps.shown_charts = {{QStringLiteral("step-time"), step_chart_}};
    steps.result = [this](const LiveResultPtr& result) { step_chart_->set_data(step_chart_data(*result)); };
    presenter_.add(std::move(steps));
    MadeView ways;
    ways.shown_charts = {{QStringLiteral("step-time-by-way"), ways_chart_}};
    ways.result = [this](const LiveResultPtr&) { show_ways(); };
    ways.analysis = [this](const AnalysisPtr&, bool) { show_ways(); };
    presenter_.add(std::move(ways));
    MadeView memory;
    memory.shown_charts = {{QStringLiteral("memory"), memory_chart_}};
    memory.result = [this](const LiveResultPtr& result) {
        memory_chart_->set_data(memory_chart_data(*result));
        place_memory_chart();
    };
    presenter_.add(std::move(memory));
    MadeView speedup;
    speedup.shown_charts = {{QStringLiteral("speedup"), speedup_chart_}};
    speedup.result = [this](const LiveResultPtr&) { show_speedup(); };
    speedup.analysis = [this](const AnalysisPtr&, bool current) {
        show_guides();
        if (current) ask_for_mesh_curve();
    };
    speedup.question = [this](AnalysisQuestion& asked) {
        asked.walls |= speedup_chart_->guides_shown();
        asked.efficiency = sensitivity_->efficiency();
    };
    presenter_.add(std::move(speedup));
    connect(&mesh_curve_, &MeshCurveSolver::found, this, &MainWindow::show_speedup);
    presenter_.add(*canvas_, [this] { return canvas_shown(); });
    MadeView numbers;
    numbers.result = [this](const LiveResultPtr& result) { show_numbers(result); };
    presenter_.add(std::move(numbers));
    presenter_.add(*workers_);
    presenter_.add(*verdict_);
}

/// The analytical curves, and beside them what a fit to measured runs says.
void MainWindow::show_speedup() {
    const Scenario& scenario = result()->request.scenario;
    const bool meshes = shows_rates(*result()) && has_meshes(scenario);
    SpeedupData curves = speedup_chart_data(*result(), meshes ? &mesh_curve_.points_of(scenario) : nullptr);
    if (!curves.rate) curves.fitted = beside_->fitted();
    speedup_chart_->set_data(std::move(curves));
    show_guides();
}

/// Called last, as it takes longest and nothing depends on it.
void MainWindow::ask_for_mesh_curve() {
    const LiveRequest& request = result()->request;
    if (speedup_chart_->isVisible() && shows_rates(*result()) && has_meshes(request.scenario))
        mesh_curve_.ask(request.scenario, std::max(request.last_workers, request.scenario.cluster.workers));
}

/// Where one worker cannot hold the design, ways are compared at this count instead of one way at all counts.
void MainWindow::show_ways() {
    const bool rates = shows_rates(*result());
    if (rates) ways_chart_->set_data(ways_chart_data(*result(), presenter_.best_mesh()));
    ways_chart_->setVisible(rates);
    step_chart_->setVisible(!rates);
}

/// There, the memory stands beside the layers if the window is wide.
void MainWindow::place_memory_chart() {
    constexpr int wide = 1360;
    const bool above = shows_rates(*result()) && width() >= wide;
    if (above == upper_->isAncestorOf(memory_chart_)) return;
    if (above) {
        if (shows(memory_page_)) show_bottom({});
        upper_->addWidget(memory_chart_);
        const int unit = upper_->width() / 5;
        upper_->setSizes({3 * unit, 2 * unit});
        upper_->setStretchFactor(0, 3);
        upper_->setStretchFactor(1, 2);
    } else {
        memory_page_->layout()->addWidget(memory_chart_);
    }
    memory_chart_->show();
    show_fitting_tabs();
}

/// One step back brings the mesh of before.
void MainWindow::take_way(int curve) {
    if (!result() || curve < 0) return;
    if (curve == best_way) {
        if (const search::BestMesh* best = presenter_.best_mesh()) document_.edit(best->scenario);
        return;
    }
    if (static_cast<std::size_t>(curve) >= result()->curves.size()) return;
    const Parallelism& way = result()->curves[static_cast<std::size_t>(curve)].spec.parallelism;
    document_.change([&](Scenario& s) { s.parallelism = way; });
}

/// The walls, as long as they are those of what is shown.
void MainWindow::show_guides() {
    const AnalysisPtr& analysis = analyst().latest();
    const bool known = !shows_rates(*result()) && analysis && analysis->question.walls && analysis->walls &&
                       analysis->walls_are_of(result()->request.scenario);
    speedup_chart_->set_guides(known ? guide_lines(*analysis->walls) : std::vector<GuideLine>{});
}

/// Their dock grows and shrinks with them.
void MainWindow::show_numbers(const LiveResultPtr& result) {
    const int before = numbers_height_ > 0 ? numbers_height_ : numbers_->sizeHint().height();
    numbers_->show_result(result);
    if (!numbers_dock_->isVisible()) return;
    numbers_height_ = numbers_->sizeHint().height();
    if (const int more = numbers_height_ - before; more != 0)
        resizeDocks({why_dock_, numbers_dock_}, {why_dock_->height() - more, numbers_dock_->height() + more},
                    Qt::Vertical);
}

/// What follows once all views show the answer.
void MainWindow::follow_shown() {
    workers_->set_most_workers(presenter_.last_workers());
    show_selected(selected_.key);
    if (problem_file_.isEmpty()) show_design_problems();
    show_status();
    emit updated();
}

void MainWindow::show_status() {
    if (!result()) return;
    const bool good = result()->estimate.has_value();
    const QString cannot_run = cannot_run_text(result()->request.scenario, result()->estimate);
    // Work that may be lost comes first, whatever else is to be said.
    const auto show = [&](QStringList messages, StatusLine::State state) {
        if (const QString trouble = Keeping::instance().trouble(); !trouble.isEmpty()) {
            messages.prepend(trouble);
            state = std::max(state, StatusLine::State::warning);
        }
        status_->set_messages(messages, state);
    };
    const QStringList times{tr("computed in %1 ms").arg(told(format_number(presenter_.computed_ms(), 2))),
                            tr("drawn in %1 ms").arg(told(format_number(presenter_.drawn_ms(), 2)))};
    if (document_.draft()) {
        const std::size_t faults = fault_layers_.size();
        show({(only_shapes_  ? (faults == 1 ? tr("1 shape problem") : tr("%1 shape problems").arg(faults))
               : faults == 1 ? tr("1 problem of the drawn network")
                             : tr("%1 problems of the drawn network").arg(faults)) +
              (document_.draft_is_related() ? tr("; times are those of the last valid network")
                                            : tr("; the charts show %1, the last valid network")
                                                  .arg(scenario_context(result()->request.scenario).front()))},
             StatusLine::State::error);
    } else if (!good)
        show({told(result()->estimate.error().front().what)}, StatusLine::State::error);
    else if (!problem_file_.isEmpty() && file_failed_)
        show(QStringList(tr("Showing the last good state")) + times, StatusLine::State::normal);
    else if (progress_action_->isVisible())
        show(times, StatusLine::State::normal);
    else if (!cannot_run.isEmpty() && problem_file_.isEmpty())
        show(QStringList(cannot_run) + times, StatusLine::State::error);
    else if (const std::size_t notes = result()->estimate->notes.size(); notes > 0 && problem_file_.isEmpty())
        show(QStringList(notes == 1 ? tr("1 warning") : tr("%1 warnings").arg(notes)) + times,
             StatusLine::State::warning);
    else
        show(QStringList(tr("Ready")) + times, StatusLine::State::normal);
    std::vector<StatusLine::Figure> figures;
    if (good && !side_bar_->isHidden()) {
        const bool struck = !cannot_run.isEmpty();
        const Estimate& e = *result()->estimate;
        const auto add = [&](const QString& name, const std::string& value) {
            figures.push_back({name, told(value), {}, Change::none, struck});
        };
        add(step_name(result()->evidence), format_time(e.summary.step));
        const auto used = utilization_of(result()->request.scenario, e);
        if (!shows_rates(*result())) {
            add(tr("Speedup"), format_ratio(e.speedup));
            add(tr("Efficiency"), format_percent(Fraction{e.efficiency}));
        } else if (used && used->tokens_per_second > 0) {  // no speedup over a worker that cannot hold the design
            add(NumbersPanel::tr("tokens/s"), format_number(used->tokens_per_second, 3, 3));
            if (used->model) add(NumbersPanel::tr("MFU"), format_percent(*used->model));
        } else {
            add(NumbersPanel::tr("samples/s"), format_number(e.throughput.value, 3, 3));
        }
    }
    status_->set_figures(figures);
    status_->set_context(scenario_context(result()->request.scenario));
}

}  // namespace scalescope::ui
