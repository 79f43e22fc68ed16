// SPDX-License-Identifier: GPL-3.0-or-later
// A layer of a kind that the program does not know, so that a network from elsewhere can be opened whole. All that is
// known of it are its tensors: priced by their bytes, like a layer that touches each element
// (docs/decisions/layer-kinds.md).
#include <array>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

const std::array<AttributeInfo, 2> unknown_attributes{{
    {"type", AttributeType::text, std::string(), {}, 0, "what the network's author calls it"},
    {"shape", AttributeType::shape, std::vector<Dim>(), "", 1,
     "of its output, batch first; left out: its first input's"},
}};

Result<LayerFacts> infer_unknown(const Layer& layer, std::span<const Shape> inputs) {
    Shape output;
    if (const auto& dims = get<std::vector<Dim>>(layer, "shape"); !dims.empty()) {
        ASSIGN_OR_RETURN(output, per_sample(dims));
    } else if (inputs.empty()) {
        return wrong("A layer of unknown kind without inputs needs a shape.",
                     "write the shape of its output, or connect it to a layer");
    } else {
        output = inputs[0];
    }
    // Backward reads the input again beside the gradient, as most layers do.
    auto f = bytes_only(std::move(output), inputs, Division::mixing, {1, 1, 0}, {2, 1, 0});
    if (f) f->keeps_input = f->unknown = true;
    return f;
}

}  // namespace

const Kind unknown{"unknown", "Unknown kind", unknown_attributes, 0, -1, infer_unknown};

}  // namespace scalescope::kinds
