// SPDX-License-Identifier: GPL-3.0-or-later
// A mixture of experts: a router sends each position through a few of many two-layer networks
// (docs/decisions/layer-kinds.md).
#include <array>
#include <cmath>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

const std::array<AttributeInfo, 7> experts_attributes{{
    {"experts", AttributeType::integer, {}, {}, 1, "networks to choose from"},
    {"top_k", AttributeType::integer, std::int64_t{2}, {}, 1, "experts that a position goes through"},
    {"hidden", AttributeType::integer, {}, {}, 1, "hidden width of an expert"},
    {"gated", AttributeType::boolean, true, {}, 0, "a third matrix gates the hidden layer, as in SwiGLU"},
    {"capacity",
     AttributeType::number,
     0.0,
     {},
     0,
     "room of an expert: so many times an even share of the positions, empty places computed too; 0: no limit"},
    {"expert_groups", AttributeType::integer, std::int64_t{1}, {}, 1, "groups of neighbouring experts"},
    {"top_groups",
     AttributeType::integer,
     std::int64_t{1},
     {},
     1,
     "groups whose experts a position may go through, at most"},
}};

constexpr std::int64_t most_groups = 1024;  ///< so that it takes no time how many of them are reached

Result<LayerFacts> infer_experts(const Layer& layer, std::span<const Shape> inputs) {
    if (inputs[0].empty()) return wrong("A scalar has no positions.", "connect a layer with at least one dimension");
    const std::int64_t experts = get<std::int64_t>(layer, "experts"), top = get<std::int64_t>(layer, "top_k"),
                       hidden = get<std::int64_t>(layer, "hidden"), groups = get<std::int64_t>(layer, "expert_groups"),
                       chosen_groups = get<std::int64_t>(layer, "top_groups"), width = inputs[0].back();
    const double capacity = get<double>(layer, "capacity");
    const bool gated = get<bool>(layer, "gated");
    if (top > experts)
        return wrong(
            "A position cannot go through " + std::to_string(top) + " of " + std::to_string(experts) + " experts.",
            "choose a smaller top_k");
    if (groups > most_groups) return wrong("There are at most 1,024 groups of experts.", "use fewer of them");
    if (experts % groups != 0 || chosen_groups > groups || top > experts / groups * chosen_groups)
        return wrong(std::to_string(experts) + " experts in " + std::to_string(groups) + " groups, of which " +
                         std::to_string(chosen_groups) + " may be taken, do not hold " + std::to_string(top) +
                         " experts for each position.",
                     "choose groups of equal size, and enough of them");
    if (!(capacity >= 0 && capacity <= static_cast<double>(experts)))
        return wrong("A capacity is 0, for no limit, or a factor of at most the number of experts.",
                     "choose a capacity such as 1.25");
    const Checked rows = elements(inputs[0]) / width, router = Checked(width) * experts,
                  expert = Checked(width) * hidden * (gated ? 3 : 2), chosen = rows * top;
    if (!(chosen * experts).ok()) return work_overflows();
    const std::int64_t routed =
        capacity == 0 ? chosen.value()
                      : static_cast<std::int64_t>(std::ceil(capacity * static_cast<double>(chosen.value())));
    const Checked weights = router + expert * experts, macs = rows * router + expert * routed,
                  inner = Checked(routed) * hidden, sent = Checked(routed) * width, scores = rows * experts;
    // Hidden tensors, scores of the router, and rows sorted by expert and back.
    const Checked forward = inner * (gated ? 6 : 4) + scores * 2 + sent * 4,
                  to_inputs = inner * (gated ? 8 : 5) + scores * 2 + sent * 4,
                  to_weights = inner * (gated ? 3 : 2) + scores + sent * 2,
                  kept = inner * (gated ? 3 : 2) + scores + sent;
    if (!weights.ok() || !macs.ok() || !forward.ok() || !to_inputs.ok() || !to_weights.ok() || !kept.ok())
        return work_overflows();
    LayerFacts f = product(inputs[0], width, macs.value(), weights.value());
    f.division = Division::mixing;
    f.forward.own = forward.value();
    f.grad_input.own = to_inputs.value();
    f.grad_weights.own = to_weights.value();
    f.kept_elements = kept.value();
    // Router, its choice, sorting, two products around a function, sorting back.
    f.launches = {7, 7, 3};
    f.along(ShardAlong::outputs) = 0;  // the ways to an expert's outputs lead through all of its hidden units
    act_at_positions(f);
    f.experts = {experts,
                 (expert * experts).value(),
                 top,
                 hidden,
                 capacity,
                 routed,
                 groups,
                 chosen_groups,
                 inner.value(),
                 (inner * (gated ? 3 : 2)).value(),
                 sent.value() + inner.value(),
                 sent.value() + inner.value() * (gated ? 2 : 1)};
    f.gradients_together = true;  // the gradients of the first matrices need those of the hidden layer
    return finish(std::move(f), inputs);
}

}  // namespace

const Kind mixture_of_experts{"mixture_of_experts", "Mixture of experts", experts_attributes, 1, 1, infer_experts};

}  // namespace scalescope::kinds
