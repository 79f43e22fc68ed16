// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "core/base/format.hpp"

namespace scalescope {
namespace {

/// What the scenario says of single layers, after one of its networks has changed.
class Mending {
public:
    Mending(Scenario& scenario, const Network* before, const Network& after)
        : scenario_(scenario), before_(before), after_(after) {}

    /// Layers of any network of the workload.
    void named(std::vector<LayerId>& layers) const {
        std::erase_if(layers, [&](LayerId id) {
            const auto& workload = scenario_.workload;
            return std::none_of(workload.begin(), workload.end(),
                                [&](const WorkloadPart& p) { return p.network && p.network->position(id); });
        });
    }

    void cut() {
        Parallelism& p = scenario_.parallelism;
        if (p.cut == LayerId{} || after_.position(p.cut)) return;
        const auto next = still_there(p.cut);
        p.cut = next.value_or(LayerId{});
        p.cut_auto = p.cut_auto || !next;
    }

    void boundaries() {
        std::vector<LayerId>& stages = scenario_.parallelism.boundaries;
        std::set<std::pair<int, LayerId>> kept;  // by position
        for (const LayerId id : stages)
            if (const auto next = still_there(id))
                if (const int at = *after_.position(*next); at > 0) kept.emplace(at, *next);
        stages.clear();
        for (const auto& [at, id] : kept) stages.push_back(id);
    }

private:
    Scenario& scenario_;
    const Network* before_;
    const Network& after_;

    /// The layer itself or, of those that came after it, the first that is still there.
    std::optional<LayerId> still_there(LayerId id) const {
        if (after_.position(id)) return id;
        const auto at = before_ ? before_->position(id) : std::nullopt;
        if (!at) return std::nullopt;
        const auto behind = before_->layers().subspan(static_cast<std::size_t>(*at) + 1);
        const auto next =
            std::find_if(behind.begin(), behind.end(), [&](const Layer& l) { return after_.position(l.id); });
        return next == behind.end() ? std::nullopt : std::optional(next->id);
    }
};

}  // namespace

bool WorkloadPart::operator==(const WorkloadPart& other) const {
    if (!(passes == other.passes) || count != other.count || origin != other.origin) return false;
    if (network == other.network) return true;
    return network && other.network && network->same_draft(*other.network) &&
           std::ranges::equal(network->bindings(), other.network->bindings());
}

namespace {

/// The network with the sizes that `before` has under the same names, as far as they fit.
std::shared_ptr<const Network> with_sizes_of(const Network& before, std::shared_ptr<const Network> network) {
    for (const Binding& size : before.bindings())
        if (const auto own = network->bindings(); std::ranges::any_of(
                own, [&](const Binding& b) { return b.symbol == size.symbol && b.value != size.value; }))
            if (auto sized = network->with(std::span(&size, 1))) network = std::move(*sized);
    return network;
}

}  // namespace

Scenario with_network(Scenario scenario, std::shared_ptr<const Network> network) {
    if (scenario.network()) network = with_sizes_of(*scenario.network(), std::move(network));
    if (scenario.workload.size() == 1 && scenario.workload.front().network)
        scenario.name = name_with(std::move(scenario.name), *scenario.workload.front().network, *network);
    scenario.description.clear();
    WorkloadPart part;
    part.network = std::move(network);
    scenario.workload.assign(1, part);
    scenario.training.frozen.clear();
    scenario.parallelism.recompute_layers.clear();
    scenario.parallelism.cut_auto = true;
    scenario.parallelism.cut = LayerId{};
    scenario.parallelism.boundaries.clear();
    return scenario;
}

Problems notes_on_network(const Scenario& before, const Scenario& after) {
    if (!before.network() || !after.network()) return {};
    Problems notes;
    const auto of = [](const Network& network, const std::string& symbol) {
        const auto all = network.bindings();
        const auto at = std::ranges::find(all, symbol, &Binding::symbol);
        return at == all.end() ? std::nullopt : std::optional(at->value);
    };
    for (const Symbol& own : after.network()->draft().symbols) {
        const auto was = of(*before.network(), own.name), is = of(*after.network(), own.name);
        if (!was || !is) continue;
        const std::string path = "symbols." + own.name;
        if (*is == *was && *is != own.initial)
            notes.push_back(make_warning(path + " stays " + format_count(*is) + '.',
                                         "set it to " + format_count(own.initial) + " for the network's own size", {},
                                         path));
        if (*is != *was)
            notes.push_back(make_warning(path + " is " + format_count(*is) + " instead of " + format_count(*was) +
                                             ", which the network does not take.",
                                         "set it to a size that it takes", {}, path));
    }
    const Parallelism &p = before.parallelism, &q = after.parallelism;
    if (before.training.frozen != after.training.frozen || p.recompute_layers != q.recompute_layers ||
        p.cut_auto != q.cut_auto || p.boundaries != q.boundaries)
        notes.push_back(make_warning("What was said of single layers of the former network is forgotten.",
                                     "set frozen and recomputed layers, the cut or the stages again", {}, "network"));
    return notes;
}

Scenario with_edited_network(Scenario scenario, int part, std::shared_ptr<const Network> network) {
    WorkloadPart& edited = scenario.workload[static_cast<std::size_t>(part)];
    edited.origin.clear();
    const auto before = std::exchange(edited.network, network);
    if (before && scenario.workload.size() == 1) scenario.name = name_with(std::move(scenario.name), *before, *network);
    Mending mending(scenario, before.get(), *network);
    mending.named(scenario.training.frozen);
    mending.named(scenario.parallelism.recompute_layers);
    if (part == 0) {  // which these are about
        mending.cut();
        mending.boundaries();
    }
    return scenario;
}

Scenario with_asynchronous_updates(Scenario s) {
    s.parallelism.updates = Updates::asynchronous;
    if (s.model.method == Method::cpu_cluster) return s;
    s.model.method = Method::pipeline;
    s.parallelism.fill = MeshAxis::data;
    s.parallelism.segments = false;
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

std::optional<Degrees> degrees_of(MeshAxis fill, std::int64_t n, const GivenDegrees& given) {
    Degrees d{1, given.pipeline, given.tensor, given.context};
    std::int64_t& filling = d.of(fill);
    filling = 1;
    const std::int64_t others = d.workers();
    if (others == 1) {  // by far the commonest: no division
        filling = n;
        return d;
    }
    if (n % others != 0) return std::nullopt;
    filling = n / others;
    return d;
}

}  // namespace scalescope
