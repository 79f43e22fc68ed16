// SPDX-License-Identifier: GPL-3.0-or-later
// A mixture of experts: a router sends each position through a few of many two-layer networks
// (docs/decisions/layer-kinds.md).
#include <array>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

const std::array<AttributeInfo, 5> experts_attributes{{
    {"experts", AttributeType::integer, {}, {}, 1, "networks to choose from"},
    {"top_k", AttributeType::integer, std::int64_t{2}, {}, 1, "experts that a position goes through"},
    {"hidden", AttributeType::integer, {}, {}, 1, "hidden width of an expert"},
    {"gated", AttributeType::boolean, true, {}, 0, "a third matrix gates the hidden layer, as in SwiGLU"},
    {"shared_experts", AttributeType::integer, std::int64_t{0}, {}, 0, "experts that every position goes through"},
}};

Result<LayerFacts> infer_experts(const Layer& layer, std::span<const Shape> inputs) {
    if (inputs[0].empty()) return wrong("A scalar has no positions.", "connect a layer with at least one dimension");
    const std::int64_t experts = get<std::int64_t>(layer, "experts"), top = get<std::int64_t>(layer, "top_k"),
                       hidden = get<std::int64_t>(layer, "hidden"), shared = get<std::int64_t>(layer, "shared_experts"),
                       width = inputs[0].back();
    const bool gated = get<bool>(layer, "gated");
    if (top > experts)
        return wrong(
            "A position cannot go through " + std::to_string(top) + " of " + std::to_string(experts) + " experts.",
            "choose a smaller top_k");
    const Checked rows = elements(inputs[0]) / width, router = Checked(width) * experts,
                  expert = Checked(width) * hidden * (gated ? 3 : 2), active = Checked(top) + shared,
                  weights = router + expert * (Checked(experts) + shared), macs = rows * (router + expert * active),
                  inner = active * hidden, sent = Checked(top) * width;
    // Hidden tensors, scores of the router, and rows sorted by expert and back.
    const Checked forward = rows * (inner * (gated ? 6 : 4) + Checked(experts) * 2 + sent * 4),
                  to_inputs = rows * (inner * (gated ? 8 : 5) + Checked(experts) * 2 + sent * 4),
                  to_weights = rows * (inner * (gated ? 3 : 2) + experts + sent * 2),
                  kept = rows * (inner * (gated ? 3 : 2) + experts + sent);
    if (!weights.ok() || !macs.ok() || !forward.ok() || !to_inputs.ok() || !to_weights.ok() || !kept.ok())
        return work_overflows();
    LayerFacts f = product(inputs[0], width, macs.value(), weights.value());
    f.division = Division::mixing;
    f.forward.own = forward.value();
    f.grad_input.own = to_inputs.value();
    f.grad_weights.own = to_weights.value();
    f.kept_elements = kept.value();
    // Router, its choice, sorting, two products around a function, sorting back; the shared experts by themselves.
    const std::int64_t more = shared > 0 ? 3 : 0;
    f.launches = {7 + more, 7 + more, 3 + (shared > 0 ? 2 : 0)};
    f.along(ShardAlong::outputs) = 0;  // the ways to an expert's outputs lead through all of its hidden units
    act_at_positions(f);
    f.experts = {experts, (expert * experts).value(), top};
    f.gradients_together = true;  // the gradients of the first matrices need those of the hidden layer
    return finish(std::move(f), inputs);
}

}  // namespace

const Kind mixture_of_experts{"mixture_of_experts", "Mixture of experts", experts_attributes, 1, 1, infer_experts};

}  // namespace scalescope::kinds
