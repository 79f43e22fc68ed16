// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/dividing.hpp"

#include <algorithm>
#include <utility>

namespace scalescope {
namespace {

/// Begins of the parts but the first, where they are given.
std::optional<std::vector<int>> given_borders(const Scenario& s, const Network& network) {
    const Parallelism& p = s.parallelism;
    if (p.segments) {
        if (p.cut_auto) return std::nullopt;
        if (p.cut == LayerId{}) return std::vector<int>{network.size()};
        const auto at = network.position(p.cut);
        return at ? std::optional(std::vector<int>{*at}) : std::nullopt;
    }
    const auto degrees = degrees_of(s);
    if (p.boundaries.empty() || !degrees || static_cast<std::int64_t>(p.boundaries.size()) + 1 != degrees->pipeline)
        return std::nullopt;
    std::vector<int> starts;
    for (LayerId id : p.boundaries) {
        const auto at = network.position(id);
        if (!at || *at <= (starts.empty() ? 0 : starts.back())) return std::nullopt;
        starts.push_back(*at);
    }
    return starts;
}

/// The same from the answer.
std::vector<int> chosen_borders(const Scenario& s, const Estimate& e) {
    std::vector<int> starts;
    if (s.parallelism.segments) {
        if (e.summary.cut >= 0) starts.push_back(e.summary.cut);
        return starts;
    }
    int stage = 0;
    for (const LayerEstimate& l : e.layers)
        if (l.part == 0 && l.stage > stage) {
            stage = l.stage;
            starts.push_back(l.position);
        }
    return starts;
}

std::vector<int> shared_cuts(const std::vector<int>& cuts, const OutputStructure& outputs, std::int64_t workers) {
    std::vector<int> allowed;
    std::copy_if(cuts.begin(), cuts.end(), std::back_inserter(allowed),
                 [&](int c) { return outputs.feasible(c, workers); });
    return allowed;
}

}  // namespace

double Dividing::share(std::size_t part) const {
    double all = 0;
    for (Seconds t : times) all += t.value;
    return part < times.size() && all > 0 ? times[part].value / all : 0;
}

Dividing dividing_of(const Scenario& scenario, const Plan& plan, const Estimate* estimate) {
    Dividing d;
    const bool cut = d.segments = scenario.parallelism.segments;
    if ((!cut && !has_stages(scenario)) || plan.parts.size() != 1 || scenario.workload.size() != 1 ||
        plan.method != Method::pipeline || scenario.cluster.workers < 2)
        return d;
    const PlanPart& part = plan.parts.front();
    const Network& network = *part.network;
    const int layers = network.size();
    const auto given = given_borders(scenario, network);
    const bool same = estimate && estimate->point.fill == scenario.parallelism.fill &&
                      estimate->point.segments == cut;  // else it is about something else
    d.automatic = !given;
    const std::vector<int> starts = given ? *given : same ? chosen_borders(scenario, *estimate) : std::vector<int>();
    if (starts.empty()) return d;
    d.counts.assign(static_cast<std::size_t>(layers), cut ? 0 : 1);
    for (std::size_t i = 0; i < starts.size(); ++i) {
        Border b;
        b.at = starts[i];
        if (cut) {
            b.allowed = cut_positions(plan, scenario.cluster.workers);
            for (int c : part.cuts)
                if (c < layers) d.counts[static_cast<std::size_t>(c)] = 1;
        } else {
            const int low = i == 0 ? 1 : starts[i - 1] + 1, high = i + 1 < starts.size() ? starts[i + 1] : layers;
            for (int p = low; p < high; ++p) b.allowed.push_back(p);
        }
        d.borders.push_back(std::move(b));
    }
    if (!same) return d;
    d.times.assign(starts.size() + 1, Seconds{0});
    for (const LayerEstimate& l : estimate->layers) {
        if (l.part != 0) continue;
        const auto behind = std::upper_bound(starts.begin(), starts.end(), l.position) - starts.begin();
        d.times[static_cast<std::size_t>(behind)] += l.forward + l.backward() + l.update;
    }
    return d;
}

std::vector<int> cut_positions(const Plan& plan, std::int64_t workers) {
    return shared_cuts(plan.parts.front().cuts, *plan.parts.front().outputs, workers);
}

std::vector<int> cut_positions(const Network& network, std::int64_t workers) {
    const OutputStructure outputs = make_output_structure(network);
    return shared_cuts(cuts_of(outputs), outputs, workers);
}

Scenario with_cut(Scenario scenario, int at) {
    const Network* network = scenario.network();
    Parallelism& p = scenario.parallelism;
    p.fill = MeshAxis::data;
    p.segments = true;
    p.degrees_given() = {};
    p.sharded = Sharded::nothing;
    p.recompute = Recompute::nothing;
    p.cut_auto = false;
    p.cut = network && at < network->size() ? network->layers()[static_cast<std::size_t>(at)].id : LayerId{};
    return scenario;
}

Scenario with_border(Scenario scenario, const Dividing& dividing, std::size_t border, int at) {
    const Network* network = scenario.network();
    if (!network || border >= dividing.borders.size()) return scenario;
    if (dividing.segments) return with_cut(std::move(scenario), at);
    auto& starts = scenario.parallelism.boundaries;
    starts.clear();
    for (std::size_t i = 0; i < dividing.borders.size(); ++i) {
        const int start = i == border ? at : dividing.borders[i].at;
        if (start < network->size()) starts.push_back(network->layers()[static_cast<std::size_t>(start)].id);
    }
    return scenario;
}

Scenario with_automatic_borders(Scenario scenario) {
    scenario.parallelism.cut_auto = true;
    scenario.parallelism.boundaries.clear();
    return scenario;
}

std::vector<std::optional<OutputShare>> output_shares(const Plan& plan, const Estimate& estimate, int part) {
    const PlanPart& of = plan.parts[static_cast<std::size_t>(part)];
    std::vector<std::optional<OutputShare>> shares(static_cast<std::size_t>(of.work.layers));
    const std::int64_t sharing = estimate.point.sharing();
    const bool columns = policy_of(estimate.point) == ShardingPolicy::columns;
    if (plan.paleo || plan.cpu || sharing < 2) return shares;
    const int cut = std::max(0, estimate.summary.cut);
    for (const LayerEstimate& l : estimate.layers) {
        if (l.part != part || l.position < cut) continue;
        const auto p = static_cast<std::size_t>(l.position);
        const Division d = of.outputs->division[p];
        if (d == Division::source || d == Division::view) continue;
        OutputShare share{columns ? of.outputs->divided_until[p] >= cut : l.along.has_value(), l.shares.outputs, 0, 0};
        if (l.along)
            share.units = of.network->facts()[p].along(*l.along);
        else if (share.divided && d == Division::weights)
            share.units = of.outputs->units[p];
        if (share.units > 0) share.own = (share.units + sharing - 1) / sharing;
        shares[p] = share;
    }
    return shares;
}

}  // namespace scalescope
