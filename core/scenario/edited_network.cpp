// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/edited_network.hpp"

#include <algorithm>
#include <utility>

namespace scalescope {

Scenario with_edited_network(Scenario scenario, int part, std::shared_ptr<const Network> network) {
    WorkloadPart& edited = scenario.workload[static_cast<std::size_t>(part)];
    edited.network = std::move(network);
    edited.origin.clear();
    // Layers are named by their numbers alone, in whichever network of the workload they are.
    const auto gone = [&](LayerId id) {
        return std::none_of(scenario.workload.begin(), scenario.workload.end(),
                            [&](const WorkloadPart& p) { return p.network->position(id).has_value(); });
    };
    auto& frozen = scenario.training.frozen;
    frozen.erase(std::remove_if(frozen.begin(), frozen.end(), gone), frozen.end());
    Parallelism& p = scenario.parallelism;
    p.boundaries.erase(std::remove_if(p.boundaries.begin(), p.boundaries.end(), gone), p.boundaries.end());
    if (!p.cut_auto && gone(p.cut)) {
        p.cut_auto = true;
        p.cut = LayerId{};
    }
    return scenario;
}

}  // namespace scalescope
