// SPDX-License-Identifier: GPL-3.0-or-later
// Normalizations, and the scale and shift of channels. All priced by their bytes
// (docs/decisions/layer-kinds.md).
#include <array>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

const std::array<AttributeInfo, 2> affine_attributes{{scale_row, bias_row}};
const std::array<AttributeInfo, 1> rms_attributes{{scale_row}};
const std::array<AttributeInfo, 3> group_attributes{{
    {"groups", AttributeType::integer, {}, {}, 1, "groups of channels, each normalized for itself"},
    scale_row,
    bias_row,
}};
const std::array<AttributeInfo, 3> batch_norm_attributes{{fused_activation, scale_row, bias_row}};
const std::array<AttributeInfo, 1> l2_attributes{{axis_row}};

/// Training: two reads (statistics, then normalise) and one write; backward reads input and gradient twice, writes
/// once.
Result<LayerFacts> infer_batch_norm(const Layer& layer, std::span<const Shape> inputs) {
    auto f = bytes_only(inputs[0], inputs, Division::channelwise, {2, 1, 0}, {3, 2, 0});
    if (!f) return f;
    // scale and shift; their gradients come out of the same backward pass
    f->weights = f->units * ((get<bool>(layer, "scale") ? 1 : 0) + (get<bool>(layer, "bias") ? 1 : 0));
    f->keeps_input = true;
    f->keeps_output = has_fused_activation(layer);
    return act_on_own_rows(std::move(f), 2 * f->units, true);
}

Result<LayerFacts> infer_lrn(const Layer&, std::span<const Shape> inputs) {
    auto f = bytes_only(inputs[0], inputs, Division::mixing, {1, 1, 0}, {2, 2, 0});
    if (f) f->keeps_input = f->keeps_output = true;
    return act_on_own_rows(std::move(f));
}

/// Every row along the axis is divided by its length, which is kept.
Result<LayerFacts> infer_l2(const Layer& layer, std::span<const Shape> inputs) {
    ASSIGN_OR_RETURN(const auto axis, axis_of(layer, inputs[0]));
    auto f = bytes_only(inputs[0], inputs, division_along(axis, inputs[0]), {1, 1, 0}, {2, 1, 0});
    if (!f) return f;
    f->keeps_input = true;
    f->kept_elements = f->out_elements / inputs[0][axis];
    return axis > 0 ? act_on_own_rows(std::move(f)) : f;
}

/// `reads` of the input by forward; backward reads it as often and its gradient too, and writes one.
Result<LayerFacts> normalized(const Layer& layer, std::span<const Shape> inputs, Division division, double reads,
                              std::int64_t statistics, bool bias) {
    auto f = bytes_only(inputs[0], inputs, division, {reads, 1, 0}, {reads + 1, reads, 0});
    if (!f) return f;
    f->weights = f->units * ((get<bool>(layer, "scale") ? 1 : 0) + (bias ? 1 : 0));
    f->keeps_input = true;
    f->kept_elements = statistics;
    return f;
}

std::int64_t rows(const Shape& shape) { return shape.empty() ? 1 : elements(shape) / shape.back(); }

/// A row is short enough to stay on the chip: one read gives the statistics and the result.
Result<LayerFacts> infer_layer_norm(const Layer& layer, std::span<const Shape> inputs) {
    return act_on_vectors(
        normalized(layer, inputs, Division::mixing, 1, 2 * rows(inputs[0]), get<bool>(layer, "bias")));
}

Result<LayerFacts> infer_rms_norm(const Layer& layer, std::span<const Shape> inputs) {
    auto f = normalized(layer, inputs, Division::mixing, 1, rows(inputs[0]), false);
    if (f) f->keeps_more = KeepsMore::norm;
    return act_on_vectors(std::move(f));
}

/// Whole images do not stay there: first the statistics, then the result, as in batch normalization.
Result<LayerFacts> infer_group_norm(const Layer& layer, std::span<const Shape> inputs) {
    const std::int64_t groups = get<std::int64_t>(layer, "groups");
    if (inputs[0].empty() || inputs[0].back() % groups != 0)
        return wrong("Groups must divide the channels of " + to_text(inputs[0]) + ".",
                     "choose another number of groups");
    auto f = normalized(layer, inputs, Division::mixing, 2, 2 * groups, get<bool>(layer, "bias"));
    if (f) f->along(ShardAlong::channels) = groups;
    return act_on_own_rows(std::move(f), 2 * groups);
}

Result<LayerFacts> infer_instance_norm(const Layer& layer, std::span<const Shape> inputs) {
    const std::int64_t channels = inputs[0].empty() ? 1 : inputs[0].back();
    return act_on_own_rows(normalized(layer, inputs, Division::channelwise, 2, 2 * channels, get<bool>(layer, "bias")),
                           2 * channels);
}

Result<LayerFacts> infer_scale(const Layer& layer, std::span<const Shape> inputs) {
    auto f = normalized(layer, inputs, Division::channelwise, 1, 0, get<bool>(layer, "bias"));
    if (f && f->weights == 0) return wrong("The layer neither scales nor shifts.", "set scale or bias, or take it out");
    if (f) f->input_for_weights = true;
    return act_on_vectors(std::move(f));
}

}  // namespace

const Kind batch_norm{"batch_norm", "Batch normalization", batch_norm_attributes, 1, 1, infer_batch_norm};
const Kind lrn{"lrn", "Local response normalization", {}, 1, 1, infer_lrn};
const Kind l2_normalize{"l2_normalize", "Normalization to length 1", l2_attributes, 1, 1, infer_l2};
const Kind layer_norm{"layer_norm", "Layer normalization", affine_attributes, 1, 1, infer_layer_norm};
const Kind rms_norm{"rms_norm", "RMS normalization", rms_attributes, 1, 1, infer_rms_norm};
const Kind group_norm{"group_norm", "Group normalization", group_attributes, 1, 1, infer_group_norm};
const Kind instance_norm{"instance_norm", "Instance normalization", affine_attributes, 1, 1, infer_instance_norm};
const Kind scale{"scale", "Scale and shift", affine_attributes, 1, 1, infer_scale};

}  // namespace scalescope::kinds
