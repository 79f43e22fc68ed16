// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/adapters.hpp"

#include <algorithm>
#include <utility>

#include "core/base/format.hpp"
#include "core/base/sequences.hpp"
#include "core/network/editing/adapters.hpp"
#include "core/scenario/symbol_fields.hpp"

namespace scalescope {
namespace {

using NetworkPtr = std::shared_ptr<const Network>;

std::vector<Adapter> added_to(const Network& network) {
    auto adapters = find_adapters(network);
    std::erase_if(adapters, [&](const Adapter& a) { return !has_open_rank(network, a); });
    return adapters;
}

/// The draft as a network, with the sizes that `like` has.
Result<NetworkPtr> sized_as(const Network& like, NetworkDraft draft) {
    std::vector<Binding> sizes;
    for (const Binding& b : like.bindings())
        if (std::ranges::find(draft.symbols, b.symbol, &Symbol::name) != draft.symbols.end()) sizes.push_back(b);
    return Network::make(std::move(draft), sizes);
}

Result<NetworkPtr> plain(const NetworkPtr& network) {
    if (added_to(*network).empty()) return network;
    return sized_as(*network, editing::without_adapters(*network));
}

/// Each network of the workload once.
std::vector<NetworkPtr> networks_of(const Scenario& scenario) {
    std::vector<NetworkPtr> all;
    for (const WorkloadPart& part : scenario.workload)
        if (part.network && std::ranges::find(all, part.network) == all.end()) all.push_back(part.network);
    return all;
}

void replace(Scenario& scenario, const NetworkPtr& network, const NetworkPtr& by) {
    for (std::size_t part = 0; part < scenario.workload.size(); ++part)
        if (scenario.workload[part].network == network && by != network)
            scenario = with_edited_network(std::move(scenario), static_cast<int>(part), by);
}

/// All layers with weights but adapters.
void freeze(Scenario& scenario) {
    auto& frozen = scenario.training.frozen;
    for (const NetworkPtr& network : networks_of(scenario)) {
        std::vector<int> trained;
        for (const Adapter& a : added_to(*network)) trained.insert(trained.end(), {a.down, a.up});
        std::sort(trained.begin(), trained.end());
        for (int l = 0; l < network->size(); ++l)
            if (network->facts()[static_cast<std::size_t>(l)].weights > 0 &&
                !std::binary_search(trained.begin(), trained.end(), l))
                frozen.push_back(network->layers()[static_cast<std::size_t>(l)].id);
    }
    sort_once(frozen);
}

}  // namespace

Result<Scenario> with_adapters(Scenario scenario, std::string_view words, std::optional<std::int64_t> rank) {
    const bool none = words == no_adapters;
    if (none && count_adapters(scenario).adapters == 0) return scenario;
    if (!rank) rank = symbol_value(scenario, rank_symbol).value_or(first_rank);
    // Frozen layers are named by number, whichever network they are of.
    LayerId first{1};
    for (const NetworkPtr& network : networks_of(scenario))
        for (const Layer& l : network->layers()) first.value = std::max(first.value, l.id.value + 1);
    Problems refused;
    bool any = false;
    for (const NetworkPtr& network : networks_of(scenario)) {
        ASSIGN_OR_RETURN(const auto without, plain(network));
        NetworkPtr next = without;
        if (!none) {
            const auto products = editing::products_called(*without, words);
            if (!products) refused.insert(refused.end(), products.error().begin(), products.error().end());
            if (products) {
                ASSIGN_OR_RETURN(auto edit, editing::add_adapters(*without, *products, *rank, first));
                first.value += static_cast<std::uint32_t>(3 * products->size());
                ASSIGN_OR_RETURN(next, sized_as(*without, std::move(edit.draft)));
                any = true;
            }
        }
        replace(scenario, network, next);
    }
    if (none) {
        scenario.training.frozen.clear();
        return scenario;
    }
    if (!any) return fail(std::move(refused));
    if (auto set = set_symbol(scenario, rank_symbol, *rank); !set) return tl::unexpected(set.error());
    freeze(scenario);
    return scenario;
}

AdapterCount count_adapters(const Scenario& scenario) {
    AdapterCount count;
    for (const NetworkPtr& network : networks_of(scenario)) {
        count.all += network->parameters();
        for (const Adapter& a : added_to(*network)) {
            ++count.adapters;
            for (const int l : {a.down, a.up})
                count.parameters += network->facts()[static_cast<std::size_t>(l)].parameters();
        }
    }
    return count;
}

Problems notes_on_adapters(const Scenario& before, const Scenario& after) {
    Problems notes;
    if (count_adapters(after).adapters == 0) return notes;
    std::ptrdiff_t mixtures = 0;
    for (const NetworkPtr& network : networks_of(after))
        mixtures += std::ranges::count_if(network->facts(), [](const LayerFacts& f) { return f.experts.count > 0; });
    if (mixtures > 0)
        notes.push_back(make_warning(
            "The experts of " + format_count(mixtures) + (mixtures == 1 ? " layer" : " layers") + " have no adapters.",
            "they are frozen, since adapters of experts are not modelled", {}, "adapters"));
    for (const WorkloadPart& part : before.workload)
        if (part.network && part.network->draft().remade_by && !part.network->bindings().empty())
            notes.push_back(make_warning("The sizes of " + part.network->name() + " are numbers now.",
                                         "set other sizes before adapters are added", {}, "adapters"));
    return notes;
}

}  // namespace scalescope
