// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/mesh_solver.hpp"

#include <utility>

namespace scalescope::ui {

MeshSolver::MeshSolver(QObject* parent) : QObject(parent) {}

void MeshSolver::ask(Scenario scenario, search::Locks locks) {
    Asked asked{std::move(scenario), std::move(locks)};
    if (work_.running())
        next_ = std::move(asked);
    else
        begin(std::move(asked));
}

void MeshSolver::give_up() {
    next_.reset();
    work_.cancel();
}

void MeshSolver::finish() {
    while (work_.running()) work_.finish();
}

void MeshSolver::begin(Asked asked) {
    work_.run({}, [this, asked = std::move(asked)](const Watch& watch) -> Background::Delivery {
        auto best = search::best_mesh(asked.scenario, asked.locks, search::Effort::quick, watch);
        return [this, of = asked.scenario, scenario = best ? std::move(best->scenario) : asked.scenario] {
            if (auto next = std::exchange(next_, {})) begin(std::move(*next));
            emit solved(of, scenario);
        };
    });
}

}  // namespace scalescope::ui
