// SPDX-License-Identifier: GPL-3.0-or-later
// Dense (fully connected, inner product): 2·in·out FLOPs per sample, a multiply-add being two
// (docs/decisions/prices-of-layers.md).
#include <array>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

const std::array<AttributeInfo, 4> dense_attributes{{
    {"units", AttributeType::integer, {}, {}, 1, "outputs", true},
    {"bias", AttributeType::boolean, true, {}, 0, "one bias for each output"},
    fused_activation,
    {"per_position", AttributeType::boolean, false, "", 0,
     "act on the last axis at every position; else on all of them"},
}};

Result<LayerFacts> infer_dense(const Layer& layer, std::span<const Shape> inputs) {
    const bool per_position = get<bool>(layer, "per_position");
    const std::int64_t units = get<std::int64_t>(layer, "units"), all = elements(inputs[0]);
    if (per_position && inputs[0].empty())
        return wrong("A scalar has no positions.", "connect a layer with at least one dimension");
    const std::int64_t in = per_position ? inputs[0].back() : all;
    const Checked weights = Checked(in) * units + (get<bool>(layer, "bias") ? units : 0);
    const Checked macs = Checked(all) * units;
    if (!weights.ok() || !macs.ok())
        return wrong("The layer is too large to count: its weights overflow.",
                     "check the number of units for a typing error");
    Shape output{units};
    if (per_position) {
        output = inputs[0];
        output.back() = units;
    }
    LayerFacts f = product(std::move(output), units, macs.value(), weights.value());
    f.keeps_output = has_fused_activation(layer);
    f.along(ShardAlong::inputs) = in;
    if (per_position) act_at_positions(f);
    return finish(std::move(f), inputs);
}

}  // namespace

const Kind dense{"dense", "Dense", dense_attributes, 1, 1, infer_dense};

}  // namespace scalescope::kinds
