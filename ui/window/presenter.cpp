// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/presenter.hpp"

#include <utility>

#include "ui/document/loader.hpp"
#include "ui/inspect/chart_mapping.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {
namespace {

AnalysisQuestion nothing_asked() {
    AnalysisQuestion nothing;
    nothing.walls = false;
    return nothing;
}

QStringList notes_of(const LiveResult& result, const QString& cannot_run) {
    const Scenario& s = result.request.scenario;
    QStringList notes = export_notes(s);
    if (result.evidence.state != ScenarioEvidence::State::uncalibrated) notes << told(long_text(result.evidence, s));
    if (!cannot_run.isEmpty()) notes << cannot_run;
    return notes;
}

}  // namespace

Presenter::Presenter(const Document& document, const std::vector<Way>& ways, QObject* parent)
    : QObject(parent), document_(document), ways_(ways) {
    refine_.setSingleShot(true);
    refine_.setInterval(150);
    connect(&refine_, &QTimer::timeout, this, [this] {
        if (!document_.dragging()) request(true);
    });
    behind_.setSingleShot(true);
    behind_.setInterval(Loader::patience);
    connect(&behind_, &QTimer::timeout, this, &Presenter::fell_behind);
    connect(&live_, &Live::ready, this, &Presenter::take);
    connect(&analyst_, &Analyst::answered, this, &Presenter::show_analysis);
}

void Presenter::add(View& view, Looked looked) { views_.push_back({&view, std::move(looked)}); }

View& Presenter::keep(MadeView view) { return *made_.emplace_back(std::make_unique<MadeView>(std::move(view))); }

NamedCharts Presenter::charts() const {
    NamedCharts all;
    for (const Registered& one : views_) {
        const auto charts = one.view->charts();
        all.insert(all.end(), charts.begin(), charts.end());
    }
    return all;
}

const search::BestMesh* Presenter::best_mesh() const {
    const AnalysisPtr& analysis = analyst_.latest();
    const bool known = analysis && analysis->free_mesh && *analysis->free_mesh && result_ &&
                       analysis->scenario == result_->request.scenario;
    return known ? &**analysis->free_mesh : nullptr;
}

bool Presenter::set_curve_set(CurveSet set) {
    if (std::exchange(curve_set_, set) == set) return false;
    request(true);
    return true;
}

LiveRequest Presenter::next_request(bool refine) const {
    LiveRequest next;
    next.scenario = document_.scenario();
    next.lineage = document_.lineage();
    next.pins = document_.pins();
    next.curve_set = curve_set_;
    next.ways = ways_;
    next.dragging = !refine;
    next.last_workers = last_workers_;
    for (const Registered& one : views_)
        if (looks_at(one)) one.view->add_to_request(next);
    return next;
}

void Presenter::request(bool refine) {
    analyst_.give_up();
    LiveRequest next = next_request(refine);
    asked_path_ = next.paleo;
    live_.request(std::move(next));
    if (!behind_.isActive()) behind_.start();
}

void Presenter::follow_edit() {
    // Wheels and held keys make edit after edit.
    const bool hasty = document_.dragging() || (last_edit_.isValid() && last_edit_.elapsed() < refine_.interval());
    last_edit_.start();
    request(!hasty);
    if (hasty) refine_.start();
}

void Presenter::finish() {
    if (refine_.isActive() && !document_.dragging()) {
        refine_.stop();
        request(true);
    }
    live_.finish();
}

AnalysisQuestion Presenter::question() const {
    AnalysisQuestion asked = nothing_asked();
    for (const Registered& one : views_)
        if (looks_at(one)) one.view->add_to_question(asked, result_->request.scenario);
    return asked;
}

bool Presenter::is_current() const {
    const AnalysisQuestion asked = question();
    return asked != nothing_asked() && analyst_.latest() &&
           analyst_.latest()->answers(result_->request.scenario, asked);
}

void Presenter::analyse() {
    if (!result_ || result_->request.dragging) return;  // asked for at rest
    const AnalysisQuestion asked = question();
    if (asked != nothing_asked() && !is_current()) analyst_.ask(result_, asked);
}

void Presenter::show_analysis() {
    if (!result_) return;
    const bool current = is_current();
    for (const Registered& one : views_)
        if (looks_at(one)) one.view->show_analysis(analyst_.latest(), current);
}

void Presenter::take(const LiveResultPtr& result) {
    result_ = result;
    behind_.stop();
    show_again();
    // Where one worker is too small, many are of interest.
    const std::int64_t last = shows_rates(*result) ? many_workers : few_workers;
    // The answer may be that of a drag which has ended since.
    if (std::exchange(last_workers_, last) != last) request(!document_.dragging() && !refine_.isActive());
}

void Presenter::show_again() {
    if (!result_) return;
    QElapsedTimer timer;
    timer.start();
    const NamedCharts all = charts();
    for (const auto& entry : all) entry.second->set_steady(result_->request.dragging);
    for (const Registered& one : views_)
        if (looks_at(one)) one.view->show_result(result_);
    const QString cannot_run = cannot_run_text(result_->request.scenario, result_->estimate);
    const QStringList notes = notes_of(*result_, cannot_run);
    for (const auto& entry : all) {
        entry.second->set_notes(notes);
        entry.second->set_cannot_run(cannot_run);
    }
    show_analysis();
    drawn_ms_ = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    for (const auto& entry : all)
        if (entry.second->isVisible()) drawn_ms_ += entry.second->draw_ms();
    emit shown();
    analyse();
}

void Presenter::look_at(const View& view) {
    for (const Registered& one : views_)
        if (one.view == &view && result_) {
            one.view->show_result(result_);
            one.view->show_analysis(analyst_.latest(), is_current());
        }
    if (next_request(true).paleo != asked_path_) request(true);
    analyse();
}

void Presenter::show_everything() {
    if (!result_) return;
    everything_ = true;
    LiveRequest request = result_->request;
    request.dragging = false;
    for (const Registered& one : views_) one.view->add_to_request(request);
    const LiveResultPtr whole = answer(request);
    for (const Registered& one : views_) one.view->show_result(whole);
    // What a view asks for may depend on what it was just shown.
    if (AnalysisPtr analysis = ui::analyse(*whole, question(), {}, analyst_.latest().get()))
        analyst_.take(std::move(analysis));
    everything_ = false;
}

}  // namespace scalescope::ui
