// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/analysis.hpp"

#include <algorithm>
#include <utility>

#include "core/scenario/hardware.hpp"

namespace scalescope::ui {

bool has_staleness(const Scenario& scenario) {
    return !is_cpu_cluster(scenario) && scenario.parallelism.updates == Updates::asynchronous;
}

bool has_meshes(const Scenario& scenario) {
    return scenario.model.method == Method::pipeline && scenario.workload.size() == 1 &&
           scenario.parallelism.updates == Updates::synchronous;
}

AnalysisQuestion whole_question(const Scenario& scenario) {
    AnalysisQuestion question;
    question.sensitivity = search::SensitivityOptions{};
    if (has_meshes(scenario)) question.mesh = search::Locks{};
    question.cpu_grid = is_cpu_cluster(scenario);
    question.staleness = has_staleness(scenario);
    return question;
}

bool Analysis::walls_are_of(const Scenario& other) const {
    Scenario moved = scenario;
    moved.cluster.workers = other.cluster.workers;
    moved.name = other.name;
    return moved == other;
}

AnalysisPtr analyse(const LiveResult& result, const AnalysisQuestion& question, const Watch& watch,
                    const Analysis* before) {
    const CancelToken& cancel = watch.cancel;
    const LiveRequest& request = result.request;
    auto analysis = std::make_shared<Analysis>();
    analysis->scenario = request.scenario;
    analysis->question = question;
    analysis->wall_options = {question.efficiency, std::max(request.last_workers, request.scenario.cluster.workers)};
    if (question.mesh) {
        constexpr std::size_t most_fixes = 3;
        const bool known =
            before && before->mesh && before->question.mesh == question.mesh && before->scenario == request.scenario;
        analysis->mesh =
            known ? before->mesh : search::best_mesh(request.scenario, *question.mesh, search::Effort::quick, watch);
        analysis->free_mesh = question.mesh->empty() ? analysis->mesh
                              : known                ? before->free_mesh
                                      : search::best_mesh(request.scenario, {}, search::Effort::quick, watch);
        if (known)
            analysis->fixes = before->fixes;
        else if (result.plan && result.estimate && !cancel.cancelled())
            analysis->fixes = search::fixes(request.scenario, *result.plan, *result.estimate, request.ways,
                                            *analysis->free_mesh, most_fixes, cancel);
    }
    if (!question.walls)
        analysis->walls = search::Walls{};
    else if (before && before->question.walls && before->walls_are_of(request.scenario) &&
             before->wall_options == analysis->wall_options)
        analysis->walls = before->walls;
    else if (result.plan)
        analysis->walls = search::find_walls(request.scenario, *result.plan, analysis->wall_options, cancel);
    else
        analysis->walls = fail(result.estimate.error());
    if (question.sensitivity && !cancel.cancelled()) {
        const bool known = before && before->sensitivity && before->scenario == request.scenario &&
                           before->question.sensitivity == question.sensitivity;
        analysis->sensitivity =
            known ? before->sensitivity : search::sensitivity(request.scenario, *question.sensitivity, cancel);
    }
    if (question.cpu_grid && result.plan)
        analysis->cpu_grid = cpu_grid(request.scenario, *result.plan, request.last_workers, cancel);
    else if (question.cpu_grid)
        analysis->cpu_grid = fail(result.estimate.error());
    if (question.staleness)
        analysis->staleness =
            staleness_lesson(request.scenario,
                             worker_counts(std::max(request.last_workers, request.scenario.cluster.workers),
                                           request.scenario.cluster.workers),
                             cancel);
    if (question.comparison && !cancel.cancelled()) {
        const ComparisonQuestion& asked = *question.comparison;
        const bool open = !asked.from || !asked.to;
        const bool known = before && before->comparison && before->question.comparison == asked &&
                           (!open || before->scenario == request.scenario);
        const auto design = [&](const auto& pinned) -> const Scenario& { return pinned ? *pinned : request.scenario; };
        analysis->comparison = known ? before->comparison
                                     : compare::attribute(design(asked.from), design(asked.to), asked.metric, 0, watch);
    }
    if (cancel.cancelled()) return nullptr;
    return analysis;
}

Analyst::Analyst(QObject* parent) : QObject(parent) {
    connect(&work_, &Background::progressed, this, &Analyst::progressed);
}

void Analyst::ask(const LiveResultPtr& result, const AnalysisQuestion& question) {
    work_.run({}, [this, result, question, before = latest_](const Watch& watch) -> Background::Delivery {
        AnalysisPtr analysis = analyse(*result, question, watch, before.get());
        return [this, analysis = std::move(analysis)] {
            if (analysis) take(analysis);
        };
    });
}

void Analyst::take(AnalysisPtr analysis) {
    latest_ = std::move(analysis);
    emit answered();
}

}  // namespace scalescope::ui
