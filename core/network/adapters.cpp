// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/adapters.hpp"

#include <algorithm>
#include <utility>

namespace scalescope {

std::vector<Adapter> find_adapters(const Network& network) {
    const auto at = [](int l) { return static_cast<std::size_t>(l); };
    const auto facts = network.facts();
    std::vector<int> readers(at(network.size()), 0);
    for (int l = 0; l < network.size(); ++l)
        if (facts[at(l)].division != Division::view)
            for (const int t : network.reads(l)) ++readers[at(t)];
    const auto only_reads = [&](int l) { return network.reads(l).size() == 1 ? network.reads(l).front() : -1; };
    /// A product that nothing but one layer reads.
    const auto is_inner = [&](int l) { return l >= 0 && facts[at(l)].linear() && readers[at(l)] == 1; };
    std::vector<Adapter> found;
    for (int l = 0; l < network.size(); ++l) {
        const auto reads = network.reads(l);
        if (reads.size() != 2 || network.inputs(l).size() != 2 || network.layers()[at(l)].kind->name != "add") continue;
        for (const auto& [product, up] : {std::pair(reads[0], reads[1]), std::pair(reads[1], reads[0])}) {
            if (!is_inner(product) || !is_inner(up)) continue;
            const int down = only_reads(up);
            if (!is_inner(down) || only_reads(product) != only_reads(down)) continue;
            const auto weights = [&](int k) { return facts[at(k)].weights; };
            found.push_back({product, down, up, l, weights(down) + weights(up) < weights(product)});
            break;
        }
    }
    return found;
}

bool has_open_rank(const Network& network, const Adapter& adapter) {
    const Layer& down = network.layers()[static_cast<std::size_t>(adapter.down)];
    return std::any_of(down.attributes.begin(), down.attributes.end(), [](const AttributeValue& value) {
        const auto* size = std::get_if<Dim>(&value);
        return size && size->symbol == rank_symbol;
    });
}

}  // namespace scalescope
