// SPDX-License-Identifier: GPL-3.0-or-later
// Dense (fully connected, inner product): 2·in·out FLOPs per sample, a multiply-add being two
// (docs/decisions/prices-of-layers.md).
#include <array>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

const std::array<AttributeInfo, 3> dense_attributes{{
    {"units", AttributeType::integer, {}, {}, 1, "outputs"},
    {"bias", AttributeType::boolean, true, {}, 0, "one bias for each output"},
    {"activation", AttributeType::choice, std::string("none"), "none|relu|leaky_relu|sigmoid|tanh|softmax", 0,
     "applied in place, at no extra cost"},
}};

Result<LayerFacts> infer_dense(const Layer& layer, std::span<const Shape> inputs) {
    const std::int64_t units = get<std::int64_t>(layer, "units"), in = elements(inputs[0]);
    const Checked macs = Checked(in) * units;
    const Checked weights = macs + (get<bool>(layer, "bias") ? units : 0);
    if (!weights.ok())
        return wrong("The layer is too large to count: its weights overflow.",
                     "check the number of units for a typing error");
    LayerFacts f;
    f.output = {units};
    f.weights = weights.value();
    f.multiply_adds = macs.value();
    f.units = units;
    f.division = Division::weights;
    f.forward = f.grad_input = f.grad_weights = Traffic{1, 1, 1};
    f.keeps_input = true;
    f.keeps_output = has_fused_activation(layer);
    return finish(std::move(f), inputs);
}

}  // namespace

const Kind dense{"dense", "Dense", dense_attributes, 1, 1, infer_dense};

}  // namespace scalescope::kinds
