// SPDX-License-Identifier: GPL-3.0-or-later
// Softmax and what a network is trained to make small. Priced by their bytes (docs/decisions/layer-kinds.md).
#include <algorithm>
#include <array>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

const std::array<AttributeInfo, 1> softmax_attributes{{axis_row}};
const std::array<AttributeInfo, 1> loss_attributes{{
    {"function", AttributeType::choice, std::string("mse"),
     "mse|mae|huber|binary_cross_entropy|nll|kl_divergence|hinge|cosine|contrastive|triplet|ctc|other", 0,
     "of predictions and targets"},
}};

/// Undone from its output.
Result<LayerFacts> infer_softmax(const Layer& layer, std::span<const Shape> inputs) {
    ASSIGN_OR_RETURN(const auto axis, axis_of(layer, inputs[0]));
    auto f = bytes_only(inputs[0], inputs, division_along(axis, inputs[0]), {1, 1, 0}, {1, 2, 0});
    if (f) f->keeps_output = true;
    return axis > 0 ? act_at_positions(std::move(f)) : f;
}

/// Forward reads the predictions; backward reads them again and writes their gradient; the loss is one number.
Result<LayerFacts> infer_loss(const Layer&, std::span<const Shape> inputs) {
    auto f = bytes_only({1}, inputs, Division::mixing, {1, 1, 0}, {2, 1, 0});
    if (!f) return f;
    f->keeps_input = true;
    const auto alike = [&](const Shape& s) { return !s.empty() && s.front() == inputs[0].front(); };
    if (inputs[0].size() >= 2 && std::ranges::all_of(inputs, alike)) f->along(ShardAlong::rows) = inputs[0].front();
    return f;
}
/// Softmax and its logarithm in one: the largest class, the sum and the target's are known from parts of the classes.
Result<LayerFacts> infer_cross_entropy(const Layer& layer, std::span<const Shape> inputs) {
    auto f = infer_loss(layer, inputs);
    if (f && !inputs[0].empty()) f->along(ShardAlong::vocabulary) = inputs[0].back();
    if (f) f->keeps_more = KeepsMore::logits;
    return f;
}

}  // namespace

const Kind softmax{"softmax", "Softmax", softmax_attributes, 1, 1, infer_softmax};
const Kind log_softmax{"log_softmax", "Log softmax", softmax_attributes, 1, 1, infer_softmax};
const Kind cross_entropy{"cross_entropy", "Cross-entropy", {}, 1, 2, infer_cross_entropy};
const Kind loss{"loss", "Loss", loss_attributes, 1, -1, infer_loss};

}  // namespace scalescope::kinds
