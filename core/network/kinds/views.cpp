// SPDX-License-Identifier: GPL-3.0-or-later
// Where data and trained tensors enter, and layers that only look at the same bytes in another shape.
#include <array>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

const std::array<AttributeInfo, 1> shape_attribute{{
    {"shape", AttributeType::shape, {}, {}, 1, "dimensions, batch first"},
}};
const std::array<AttributeInfo, 1> parameter_attributes{{
    {"shape", AttributeType::shape, {}, {}, 1, "dimensions, as every sample sees them: \"batch\" first"},
}};

/// Of the shape that the layer has as an attribute; moves nothing.
Result<LayerFacts> stated(const Layer& layer, std::span<const Shape> inputs, Division division) {
    ASSIGN_OR_RETURN(auto shape, per_sample(get<std::vector<Dim>>(layer, "shape")));
    return bytes_only(std::move(shape), inputs, division, {}, {});
}

Result<LayerFacts> infer_input(const Layer& layer, std::span<const Shape> inputs) {
    return stated(layer, inputs, Division::source);
}

/// Whoever reads it reads it once a step. Its gradient is the sum over the samples: each one's read, the sum written.
Result<LayerFacts> infer_parameter(const Layer& layer, std::span<const Shape> inputs) {
    auto f = stated(layer, inputs, Division::mixing);
    if (!f) return f;
    f->weights = f->out_elements;
    f->grad_weights = {0, 1, 1};
    f->per_step = true;
    return f;
}

/// The same for all samples, but not trained: a mask, a table of angles, boxes to compare with.
Result<LayerFacts> infer_constant(const Layer& layer, std::span<const Shape> inputs) {
    auto f = stated(layer, inputs, Division::mixing);
    if (f) f->per_step = true;
    return f;
}

Result<LayerFacts> infer_identity(const Layer&, std::span<const Shape> inputs) {
    return bytes_only(inputs[0], inputs, Division::view, {}, {});
}

Result<LayerFacts> infer_flatten(const Layer&, std::span<const Shape> inputs) {
    auto f = bytes_only({elements(inputs[0])}, inputs, Division::view, {}, {});
    if (f) f->units = inputs[0].empty() ? 1 : inputs[0].back();
    return f;
}

Result<LayerFacts> infer_reshape(const Layer& layer, std::span<const Shape> inputs) {
    auto f = stated(layer, inputs, Division::view);
    if (f && f->out_elements != f->in_elements)
        return wrong("A reshape keeps the number of elements: " + to_text(inputs[0]) + " has " +
                         std::to_string(f->in_elements) + ", " + to_text(f->output) + " has " +
                         std::to_string(f->out_elements) + ".",
                     "correct the shape");
    return f;
}

}  // namespace

const Kind input{"input", "Input", shape_attribute, 0, 0, infer_input};
const Kind parameter{"parameter", "Trained tensor", parameter_attributes, 0, 0, infer_parameter};
const Kind constant{"constant", "Constant", parameter_attributes, 0, 0, infer_constant};
const Kind identity{"identity", "Identity", {}, 1, 1, infer_identity};
const Kind flatten{"flatten", "Flatten", {}, 1, 1, infer_flatten};
const Kind reshape{"reshape", "Reshape", shape_attribute, 1, 1, infer_reshape};

}  // namespace scalescope::kinds
