// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/shared_weights.hpp"

#include <algorithm>

#include "core/network/network.hpp"

namespace scalescope {

Result<void> share_weights(std::span<const Layer> layers, std::span<const LayerFacts> known, int position,
                           LayerFacts& facts, int& owner) {
    const LayerId with = layers[static_cast<std::size_t>(position)].shares_weights_with;
    const auto other = std::ranges::find(layers, with, &Layer::id);
    if (other == layers.end())
        return fail(make_error("It shares the weights of a layer that does not exist.",
                               "name a layer of this network, or let it have weights of its own"));
    owner = static_cast<int>(other - layers.begin());
    if (owner >= position)
        return fail(make_error("It shares the weights of \"" + other->name + "\", which comes later.",
                               owner == position ? "name another layer" : "let the later one share those of this one"));
    if (other->shares_weights_with != LayerId{})
        return fail(make_error("It shares the weights of \"" + other->name + "\", which shares them itself.",
                               "name the layer that the weights come from"));
    // An owner that is wrong itself is reported already, and stops the network.
    const std::int64_t theirs = known[static_cast<std::size_t>(owner)].weights;
    if (theirs == 0 || facts.weights != theirs)
        return fail(
            make_error("It has " + std::to_string(facts.weights) + " weights, \"" + other->name +
                           "\", whose weights it shares, " + std::to_string(theirs) + ".",
                       facts.weights == 0 || theirs == 0
                           ? "share only between layers that have weights"
                           : "make the two alike; a bias that only one has stands in a scale layer of its own"));
    facts.shares = true;
    return {};
}

void split_trained_inputs(LayerFacts& facts, std::span<const LayerFacts* const> inputs) {
    for (const LayerFacts* in : inputs) {
        if (!in->per_step) continue;
        facts.in_elements -= in->out_elements;
        facts.in_step_elements += in->out_elements;
    }
    if (facts.in_step_elements == 0) return;
    if (facts.division == Division::view)
        facts.per_step = true;
    else
        facts.division = Division::mixing;
}

int Network::weights_owner(int position) const {
    for (const WeightUse& use : uses_)
        if (use.layer == position && !use.reads) return use.owner;
    return position;
}

bool Network::frozen(int position, std::span<const LayerId> frozen) const {
    if (frozen.empty()) return false;
    const auto is = [&](int l) { return std::ranges::binary_search(frozen, layers()[static_cast<std::size_t>(l)].id); };
    if (is(position)) return true;
    if (uses_.empty()) return false;
    const int owner = weights_owner(position);
    return is(owner) || std::ranges::any_of(uses_, [&](const WeightUse& use) {
               return use.owner == owner && !use.reads && is(use.layer);
           });
}

}  // namespace scalescope
