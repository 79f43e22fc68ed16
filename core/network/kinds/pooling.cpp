// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that change height and width channel by channel. Priced by their bytes
// (docs/decisions/prices-of-layers.md): forward reads the input and writes the output, backward the same in the other
// direction.
#include <array>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

constexpr Traffic once{1, 1, 0};

const std::array<AttributeInfo, 5> pooling_attributes{{
    {"mode", AttributeType::choice, std::string("max"), "max|average", 0, "largest value or mean of the window"},
    {"kernel", AttributeType::size_2d, {}, {}, 1, "height and width of the window"},
    {"stride", AttributeType::size_2d, Sizes{1, 1}, {}, 1, "step of the window"},
    {"padding", AttributeType::padding, Padding{}, {}, 0, "valid, same, or sizes"},
    {"ceil", AttributeType::boolean, false, {}, 0, "round the output size up"},
}};
const std::array<AttributeInfo, 1> global_attributes{{
    {"mode", AttributeType::choice, std::string("average"), "max|average", 0, "largest value or mean of each channel"},
}};
const std::array<AttributeInfo, 1> upsample_attributes{{
    {"factor", AttributeType::size_2d, {}, {}, 1, "how often each row and column is repeated"},
}};

Result<LayerFacts> infer_pooling(const Layer& layer, std::span<const Shape> inputs) {
    auto in = image(layer, inputs[0]);
    if (!in) return tl::unexpected(in.error());
    const auto& kernel = get<Sizes>(layer, "kernel");
    const auto& stride = get<Sizes>(layer, "stride");
    const auto& padding = get<Padding>(layer, "padding");
    const bool up = get<bool>(layer, "ceil");
    const auto rows = window((*in)[0], kernel[0], stride[0], padding.mode, padding.top, padding.bottom, up);
    const auto cols = window((*in)[1], kernel[1], stride[1], padding.mode, padding.left, padding.right, up);
    if (rows.out < 1 || cols.out < 1)
        return wrong("A " + std::to_string(kernel[0]) + "×" + std::to_string(kernel[1]) +
                         " window does not fit on an input of " + to_text(*in) + ".",
                     "use a smaller kernel, or padding \"same\"");
    auto f = bytes_only({rows.out, cols.out, (*in)[2]}, inputs, Division::channelwise, once, once);
    // Max pooling remembers which input won, as a 64-bit index (PyTorch); average pooling needs nothing.
    if (f && get<std::string>(layer, "mode") == "max") f->mask = 8;
    return f;
}

Result<LayerFacts> infer_global(const Layer& layer, std::span<const Shape> inputs) {
    auto in = image(layer, inputs[0]);
    if (!in) return tl::unexpected(in.error());
    return bytes_only({(*in)[2]}, inputs, Division::channelwise, once, once);
}

Result<LayerFacts> infer_upsample(const Layer& layer, std::span<const Shape> inputs) {
    auto in = image(layer, inputs[0]);
    if (!in) return tl::unexpected(in.error());
    const auto& factor = get<Sizes>(layer, "factor");
    const Checked h = Checked((*in)[0]) * factor[0], w = Checked((*in)[1]) * factor[1];
    if (!h.ok() || !w.ok()) return wrong("The output is too large to count.", "use a smaller factor");
    return bytes_only({h.value(), w.value(), (*in)[2]}, inputs, Division::channelwise, once, once);
}

}  // namespace

const Kind pooling{"pooling", "Pooling", pooling_attributes, 1, 1, infer_pooling};
const Kind global_pooling{"global_pooling", "Global pooling", global_attributes, 1, 1, infer_global};
const Kind upsample{"upsample", "Upsampling", upsample_attributes, 1, 1, infer_upsample};

}  // namespace scalescope::kinds
