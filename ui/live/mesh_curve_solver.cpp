// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/mesh_curve_solver.hpp"

#include <utility>

namespace scalescope::ui {

void MeshCurveSolver::ask(const Scenario& scenario, std::int64_t last) {
    const auto same = [&](const auto& other) {
        return other && other->last == last && search::same_mesh_curve(scenario, other->scenario);
    };
    if (same(work_.running() ? asked_ : answered_)) return;
    asked_ = std::make_shared<const Asked>(Asked{scenario, last});
    work_.run({}, [this, asked = asked_](const Watch& watch) -> Background::Delivery {
        std::vector<std::int64_t> counts;
        for (std::int64_t count = 1; count <= asked->last; count *= 2) counts.push_back(count);
        return [this, asked, points = search::mesh_curve(asked->scenario, counts, watch.cancel)] {
            answered_ = asked;
            points_ = points;
            emit found();
        };
    });
}

const MeshCurveSolver::Points& MeshCurveSolver::points_of(const Scenario& scenario) {
    if (work_.running() && !search::same_mesh_curve(scenario, asked_->scenario)) work_.cancel();
    return answered_ && search::same_mesh_curve(scenario, answered_->scenario) ? points_ : none_;
}

}  // namespace scalescope::ui
