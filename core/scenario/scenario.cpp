// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario.hpp"

#include <algorithm>

namespace scalescope {

bool WorkloadPart::operator==(const WorkloadPart& other) const {
    if (!(passes == other.passes) || count != other.count || origin != other.origin) return false;
    if (network == other.network) return true;
    return network && other.network && network->same_draft(*other.network) &&
           std::ranges::equal(network->bindings(), other.network->bindings());
}

Scenario with_network(Scenario scenario, std::shared_ptr<const Network> network) {
    if (scenario.workload.size() == 1 && scenario.workload.front().network)
        scenario.name = name_with(std::move(scenario.name), *scenario.workload.front().network, *network);
    scenario.description.clear();
    WorkloadPart part;
    part.network = std::move(network);
    scenario.workload.assign(1, part);
    scenario.training.frozen.clear();
    scenario.parallelism.cut_auto = true;
    scenario.parallelism.cut = LayerId{};
    scenario.parallelism.boundaries.clear();
    return scenario;
}

Scenario with_asynchronous_updates(Scenario s) {
    s.parallelism.updates = Updates::asynchronous;
    if (s.model.method == Method::cpu_cluster) return s;
    s.model.method = Method::pipeline;
    s.parallelism.strategy = Strategy::data;
    s.parallelism.degrees_given() = {};
    s.parallelism.overlap = Overlap::off;
    s.parallelism.copies = false;
    s.parallelism.sharded = Sharded::nothing;
    return s;
}

bool has_epochs(const Scenario& s) {
    if (s.training.data_set != Training{}.data_set || !s.network()) return true;
    const auto& layers = s.network()->layers();
    return std::none_of(layers.begin(), layers.end(), [](const Layer& l) { return l.kind->name == "embedding"; });
}

std::optional<Degrees> degrees_of(Strategy divided, std::int64_t n, const GivenDegrees& given) {
    Degrees d{1, given.pipeline, given.tensor, given.context};
    std::int64_t* taking = divided == Strategy::outputs  ? &d.tensor
                           : divided == Strategy::layers ? &d.pipeline
                                                         : &d.data;
    *taking = 1;
    const std::int64_t others = d.workers();
    if (others == 1) {  // by far the commonest: no division
        *taking = n;
        return d;
    }
    if (n % others != 0) return std::nullopt;
    *taking = n / others;
    return d;
}

}  // namespace scalescope
