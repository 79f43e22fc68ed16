// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution and its transpose. Work by definition: 2·K·Ho·Wo·(C/groups)·R·S FLOPs per sample for K filters
// of R×S (docs/decisions/prices-of-layers.md).
#include <array>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

constexpr std::string_view conv_activations = "none|relu|leaky_relu|sigmoid|tanh|softmax";

const std::array<AttributeInfo, 8> convolution_attributes{{
    {"filters", AttributeType::integer, {}, {}, 1, "output channels"},
    {"kernel", AttributeType::size_2d, {}, {}, 1, "height and width of the filter"},
    {"stride", AttributeType::size_2d, Sizes{1, 1}, {}, 1, "step of the filter"},
    {"padding", AttributeType::padding, Padding{}, {}, 0, "valid, same, or sizes"},
    {"dilation", AttributeType::size_2d, Sizes{1, 1}, {}, 1, "distance between filter taps"},
    {"groups", AttributeType::integer, std::int64_t{1}, {}, 1, "independent groups of channels"},
    {"bias", AttributeType::boolean, true, {}, 0, "one bias for each filter"},
    {"activation", AttributeType::choice, std::string("none"), conv_activations, 0,
     "applied in place, at no extra cost"},
}};

const std::array<AttributeInfo, 7> transposed_attributes{{
    {"filters", AttributeType::integer, {}, {}, 1, "output channels"},
    {"kernel", AttributeType::size_2d, {}, {}, 1, "height and width of the filter"},
    {"stride", AttributeType::size_2d, Sizes{1, 1}, {}, 1, "step of the filter"},
    {"padding", AttributeType::padding, Padding{}, {}, 0, "cells cut from the full output"},
    {"output_padding", AttributeType::size_2d, Sizes{0, 0}, {}, 0, "extra rows and columns of the output"},
    {"bias", AttributeType::boolean, true, {}, 0, "one bias for each filter"},
    {"activation", AttributeType::choice, std::string("none"), conv_activations, 0,
     "applied in place, at no extra cost"},
}};

Result<LayerFacts> infer_convolution(const Layer& layer, std::span<const Shape> inputs) {
    auto in = image(layer, inputs[0]);
    if (!in) return tl::unexpected(in.error());
    const auto& kernel = get<Sizes>(layer, "kernel");
    const auto& stride = get<Sizes>(layer, "stride");
    const auto& dilation = get<Sizes>(layer, "dilation");
    const auto& padding = get<Padding>(layer, "padding");
    const std::int64_t filters = get<std::int64_t>(layer, "filters"), groups = get<std::int64_t>(layer, "groups");
    const std::int64_t h = (*in)[0], w = (*in)[1], c = (*in)[2];
    if (c % groups != 0)
        return wrong("Groups must divide the input channels: " + std::to_string(c) + " is no multiple of " +
                         std::to_string(groups) + ".",
                     "choose another number of groups");
    if (filters % groups != 0)
        return wrong("Groups must divide the filters: " + std::to_string(filters) + " is no multiple of " +
                         std::to_string(groups) + ".",
                     "choose another number of groups or filters");
    const auto rows =
        window(h, (kernel[0] - 1) * dilation[0] + 1, stride[0], padding.mode, padding.top, padding.bottom, false);
    const auto cols =
        window(w, (kernel[1] - 1) * dilation[1] + 1, stride[1], padding.mode, padding.left, padding.right, false);
    if (rows.out < 1 || cols.out < 1)
        return wrong("A " + std::to_string(kernel[0]) + "×" + std::to_string(kernel[1]) +
                         " filter does not fit on an input of " + to_text(*in) + ".",
                     "use a smaller kernel, or padding \"same\"");
    const Checked per_output = Checked(kernel[0]) * kernel[1] * (c / groups);
    const Checked macs = per_output * filters * rows.out * cols.out;
    const Checked weights = per_output * filters + (get<bool>(layer, "bias") ? filters : 0);
    if (!macs.ok() || !weights.ok())
        return wrong("The layer is too large to count: its work overflows.", "check the sizes for a typing error");
    LayerFacts f = product({rows.out, cols.out, filters}, filters, macs.value(), weights.value());
    f.groups = groups;
    f.keeps_output = has_fused_activation(layer);
    f.convolution = ConvolutionGeometry{h,         w,           c,          rows.out,    cols.out,    filters,
                                        kernel[0], kernel[1],   stride[0],  stride[1],   dilation[0], dilation[1],
                                        groups,    rows.before, rows.after, cols.before, cols.after,  false};
    return finish(std::move(f), inputs);
}

Result<LayerFacts> infer_transposed(const Layer& layer, std::span<const Shape> inputs) {
    auto in = image(layer, inputs[0]);
    if (!in) return tl::unexpected(in.error());
    const auto& kernel = get<Sizes>(layer, "kernel");
    const auto& stride = get<Sizes>(layer, "stride");
    const auto& extra = get<Sizes>(layer, "output_padding");
    const auto& padding = get<Padding>(layer, "padding");
    const std::int64_t filters = get<std::int64_t>(layer, "filters");
    const std::int64_t h = (*in)[0], w = (*in)[1], c = (*in)[2];
    std::int64_t top = padding.top, bottom = padding.bottom, left = padding.left, right = padding.right, out_h, out_w;
    if (padding.mode == Padding::Mode::same) {  // output is exactly input × stride
        out_h = h * stride[0];
        out_w = w * stride[1];
        const auto rows = window(out_h, kernel[0], stride[0], padding.mode, 0, 0, false),
                   cols = window(out_w, kernel[1], stride[1], padding.mode, 0, 0, false);
        top = rows.before, bottom = rows.after, left = cols.before, right = cols.after;
    } else {
        out_h = (h - 1) * stride[0] + kernel[0] - top - bottom + extra[0];
        out_w = (w - 1) * stride[1] + kernel[1] - left - right + extra[1];
    }
    if (out_h < 1 || out_w < 1) return wrong("The padding cuts away the whole output.", "use less padding");
    const Checked macs = Checked(kernel[0]) * kernel[1] * c * filters * h * w;
    const Checked weights = Checked(kernel[0]) * kernel[1] * c * filters + (get<bool>(layer, "bias") ? filters : 0);
    if (!macs.ok() || !weights.ok())
        return wrong("The layer is too large to count: its work overflows.", "check the sizes for a typing error");
    LayerFacts f = product({out_h, out_w, filters}, filters, macs.value(), weights.value());
    f.keeps_output = has_fused_activation(layer);
    f.convolution = ConvolutionGeometry{h,         w, c, out_h, out_w, filters, kernel[0], kernel[1], stride[0],
                                        stride[1], 1, 1, 1,     top,   bottom,  left,      right,     true};
    return finish(std::move(f), inputs);
}

}  // namespace

const Kind convolution{"convolution", "Convolution", convolution_attributes, 1, 1, infer_convolution};
const Kind transposed_convolution{"transposed_convolution", "Transposed convolution", transposed_attributes, 1, 1,
                                  infer_transposed};

}  // namespace scalescope::kinds
