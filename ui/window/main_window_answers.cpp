// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario out, an answer in: who is asked, and who is told.
#include <QActionGroup>
#include <QElapsedTimer>
#include <QTimer>
#include <QToolBar>
#include <algorithm>
#include <utility>

#include "core/base/format.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/stack_chart.hpp"
#include "ui/charts/step_time_chart.hpp"
#include "ui/design/network_panel.hpp"
#include "ui/design/verdict_card.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/document/keeping.hpp"
#include "ui/inspect/compare_page.hpp"
#include "ui/inspect/cpu_page.hpp"
#include "ui/inspect/numbers_panel.hpp"
#include "ui/inspect/paleo_page.hpp"
#include "ui/inspect/sensitivity_mapping.hpp"
#include "ui/inspect/sensitivity_page.hpp"
#include "ui/inspect/staleness_page.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/language/told.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/runs_page.hpp"
#include "ui/search/search_window.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/status_line.hpp"
#include "ui/window/chart_mapping.hpp"
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
    if (std::exchange(curve_set_, set) == set) return;
    request(true);
    keep_soon_->start();
}

void MainWindow::request(bool refine) {
    LiveRequest r;
    r.scenario = document_.scenario();
    r.lineage = document_.lineage();
    r.pins = document_.pins();
    r.curve_set = curve_set_;
    r.ways = library_.catalogue.ways;
    if (shows(paleo_))
        r.paleo = is_paleo(r.scenario.model.method) ? paleo_question(r.scenario.model) : paleo_->question();
    r.dragging = !refine;
    r.last_workers = shown_workers_;
    r.rates = !lessons_ || !lessons_->stage().is_on();
    analyst_.give_up();
    live_.request(std::move(r));
    if (!slow_answer_->isActive()) slow_answer_->start();
}

/// The analytical curves, and beside them what a fit to measured runs says.
void MainWindow::show_speedup() {
    SpeedupData curves = speedup_chart_data(*result_);
    if (measurements_ && !curves.rate) curves.fitted = measurements_->runs_page()->curve();
    speedup_chart_->set_data(std::move(curves));
    show_guides();
}

/// Where one worker cannot hold the design, ways are compared at this count instead of one way at all counts, and the
/// memory stands beside the layers if the window is wide.
void MainWindow::show_mesh_charts() {
    constexpr int wide = 1360;
    const bool rates = shows_rates(*result_);
    memory_chart_->set_data(memory_chart_data(*result_));
    if (rates) ways_chart_->set_data(ways_chart_data(*result_, best_mesh()));
    ways_chart_->setVisible(rates);
    step_chart_->setVisible(!rates);
    const bool above = rates && width() >= wide;
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

/// The best mesh for the design on show, and designs near it that fit; as long as they are not known, it says so.
void MainWindow::show_best_mesh() {
    const AnalysisPtr& analysis = analyst_.latest();
    const bool known = analysis && analysis->mesh && analysis->scenario == result_->request.scenario &&
                       analysis->question.mesh == workers_->locks();
    const bool found = known && *analysis->mesh;
    workers_->show_best(found ? &**analysis->mesh : nullptr, found ? best_mesh() : nullptr);
    if (known) verdict_->set_fixes(analysis->fixes);
}

const search::BestMesh* MainWindow::best_mesh() const {
    const AnalysisPtr& analysis = analyst_.latest();
    const bool known =
        analysis && analysis->free_mesh && *analysis->free_mesh && analysis->scenario == result_->request.scenario;
    return known ? &**analysis->free_mesh : nullptr;
}

/// One step back brings the mesh of before.
void MainWindow::take_way(int curve) {
    if (!result_ || curve < 0) return;
    if (curve == best_way) {
        if (const search::BestMesh* best = best_mesh()) document_.edit(best->scenario);
        return;
    }
    if (static_cast<std::size_t>(curve) >= result_->curves.size()) return;
    Scenario s = document_.scenario();
    s.parallelism = result_->curves[static_cast<std::size_t>(curve)].spec.parallelism;
    document_.edit(std::move(s));
}

/// The walls, as long as they are those of what is shown.
void MainWindow::show_guides() {
    const AnalysisPtr& analysis = analyst_.latest();
    const bool known = !shows_rates(*result_) && analysis && analysis->question.walls && analysis->walls &&
                       analysis->walls_are_of(result_->request.scenario);
    speedup_chart_->set_guides(known ? guide_lines(*analysis->walls) : std::vector<GuideLine>{});
}

/// What is worked out at rest: nothing, where nobody looks at it.
std::optional<AnalysisQuestion> MainWindow::analysis_question() const {
    const bool page = shows(sensitivity_), cpu = shows(cpu_page_), stale = shows(staleness_);
    const auto comparison = shows(compare_page_) ? compare_page_->question() : std::nullopt;
    const bool mesh = result_ && has_meshes(result_->request.scenario);
    if (!page && !cpu && !stale && !comparison && !mesh && !speedup_chart_->guides_shown()) return std::nullopt;
    AnalysisQuestion question;
    question.efficiency = sensitivity_->efficiency();
    question.walls = page || speedup_chart_->guides_shown();
    if (page) question.sensitivity = sensitivity_->question();
    question.cpu_grid = cpu;
    question.staleness = stale;
    question.comparison = comparison;
    if (mesh) question.mesh = workers_->locks();
    return question;
}

bool MainWindow::analysis_answers(const Scenario& scenario) const {
    const auto question = analysis_question();
    return question && analyst_.latest() && analyst_.latest()->answers(scenario, *question);
}

/// The walls are shown again, or another question is asked.
void MainWindow::analyse_if_wanted() {
    if (!result_ || result_->request.dragging) return;  // asked for at rest
    const auto question = analysis_question();
    if (question && !analysis_answers(result_->request.scenario)) analyst_.ask(result_, *question);
}

void MainWindow::show_analysis() {
    if (!result_) return;
    show_guides();
    if (!analysis_answers(result_->request.scenario)) return;
    show_best_mesh();
    show_mesh_charts();
    if (shows(sensitivity_)) sensitivity_->show_analysis(*analyst_.latest());
    if (shows(cpu_page_)) cpu_page_->show_analysis(*analyst_.latest());
    if (shows(staleness_)) staleness_->show_analysis(*analyst_.latest());
    if (shows(compare_page_)) compare_page_->show_analysis(*analyst_.latest());
}

void MainWindow::show_result(const LiveResultPtr& result) {
    const Item about = follow(*result);
    result_ = result;
    slow_answer_->stop();
    QElapsedTimer timer;
    timer.start();
    QStringList notes = export_notes(result->request.scenario);
    if (result->evidence.state != ScenarioEvidence::State::uncalibrated)
        notes << told(long_text(result->evidence, result->request.scenario));
    for (const auto& entry : charts()) entry.second->set_steady(result->request.dragging);
    step_chart_->set_data(step_chart_data(*result));
    show_mesh_charts();
    show_speedup();
    const QString cannot_run = cannot_run_text(result->request.scenario, result->estimate);
    if (!cannot_run.isEmpty()) notes << cannot_run;
    for (const auto& entry : charts()) {
        entry.second->set_notes(notes);
        entry.second->set_cannot_run(cannot_run);
    }
    show_result_below();
    // Where one worker is too small, many are of interest.
    const std::int64_t shown = shows_rates(*result) ? many_workers : few_workers;
    if (std::exchange(shown_workers_, shown) != shown) {
        workers_->set_most_workers(shown);
        request(!result->request.dragging);
    }
    if (canvas_shown()) canvas_->show_result(result);
    show_layer_times();
    const int before = numbers_height_ > 0 ? numbers_height_ : numbers_->sizeHint().height();
    numbers_->show_result(result);
    if (numbers_dock_->isVisible()) {
        numbers_height_ = numbers_->sizeHint().height();
        if (const int more = numbers_height_ - before; more != 0)
            resizeDocks({why_dock_, numbers_dock_}, {why_dock_->height() - more, numbers_dock_->height() + more},
                        Qt::Vertical);
    }
    why_->show_result(result, about);
    show_selected(selected_.key);
    if (finder_ && finder_->isVisible() && !result->request.dragging) finder_->document().set_current(result);
    workers_->show_result(result);
    verdict_->show_result(*result);
    show_best_mesh();
    computed_ms_ = result->milliseconds;
    drawn_ms_ = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    for (const auto& entry : charts())
        if (entry.second->isVisible()) drawn_ms_ += entry.second->draw_ms();
    if (problem_file_.isEmpty()) show_design_problems();
    show_status();
    analyse_if_wanted();
    emit updated();
}

void MainWindow::show_status() {
    if (!result_) return;
    const bool good = result_->estimate.has_value();
    const QString cannot_run = cannot_run_text(result_->request.scenario, result_->estimate);
    // Work that may be lost comes first, whatever else is to be said.
    const auto show = [&](QStringList messages, StatusLine::State state) {
        if (const QString trouble = Keeping::instance().trouble(); !trouble.isEmpty()) {
            messages.prepend(trouble);
            state = std::max(state, StatusLine::State::warning);
        }
        status_->set_messages(messages, state);
    };
    const QStringList times{tr("computed in %1 ms").arg(told(format_number(computed_ms_, 2))),
                            tr("drawn in %1 ms").arg(told(format_number(drawn_ms_, 2)))};
    if (document_.draft()) {
        const std::size_t faults = fault_layers_.size();
        show({(only_shapes_  ? (faults == 1 ? tr("1 shape problem") : tr("%1 shape problems").arg(faults))
               : faults == 1 ? tr("1 problem of the drawn network")
                             : tr("%1 problems of the drawn network").arg(faults)) +
              (document_.draft_is_related() ? tr("; times are those of the last valid network")
                                            : tr("; the charts show %1, the last valid network")
                                                  .arg(scenario_context(result_->request.scenario).front()))},
             StatusLine::State::error);
    } else if (!good)
        show({told(result_->estimate.error().front().what)}, StatusLine::State::error);
    else if (!problem_file_.isEmpty() && file_failed_)
        show(QStringList(tr("Showing the last good state")) + times, StatusLine::State::normal);
    else if (progress_action_->isVisible())
        show(times, StatusLine::State::normal);
    else if (!cannot_run.isEmpty() && problem_file_.isEmpty())
        show(QStringList(cannot_run) + times, StatusLine::State::error);
    else if (const std::size_t notes = result_->estimate->notes.size(); notes > 0 && problem_file_.isEmpty())
        show(QStringList(notes == 1 ? tr("1 warning") : tr("%1 warnings").arg(notes)) + times,
             StatusLine::State::warning);
    else
        show(QStringList(tr("Ready")) + times, StatusLine::State::normal);
    std::vector<StatusLine::Figure> figures;
    if (good && !side_bar_->isHidden()) {
        const bool struck = !cannot_run.isEmpty();
        const Estimate& e = *result_->estimate;
        figures = {{step_name(result_->evidence), told(format_time(e.summary.step)), {}, Change::none, struck},
                   {tr("Speedup"), told(format_ratio(e.speedup)), {}, Change::none, struck},
                   {tr("Efficiency"), told(format_percent(Fraction{e.efficiency})), {}, Change::none, struck}};
    }
    status_->set_figures(figures);
    status_->set_context(scenario_context(result_->request.scenario));
}

}  // namespace scalescope::ui
