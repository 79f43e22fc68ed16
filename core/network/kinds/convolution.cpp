// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution and its transpose over sequences, images and volumes. Work by definition: 2·K·Ho·Wo·(C/groups)·R·S FLOPs
// per sample for K filters of R×S (docs/decisions/prices-of-layers.md).
#include <array>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

const AttributeInfo filters_row{"filters", AttributeType::integer, {}, {}, 1, "output channels"};
const AttributeInfo kernel_row{"kernel", AttributeType::sizes,
                               required, "",
                               1,        "size of the filter along each axis: one of a sequence, three of a volume"};
const AttributeInfo stride_row{"stride", AttributeType::sizes, Sizes{1, 1}, {}, 1, "step of the filter"};
const AttributeInfo dilation_row{"dilation", AttributeType::sizes, Sizes{1, 1}, {}, 1, "distance between filter taps"};
const AttributeInfo groups_row{"groups", AttributeType::integer,          std::int64_t{1}, {},
                               1,        "independent groups of channels"};
const AttributeInfo biases_row{"bias", AttributeType::boolean, true, {}, 0, "one bias for each filter"};

const std::array<AttributeInfo, 9> convolution_attributes{{
    filters_row,
    kernel_row,
    stride_row,
    {"padding", AttributeType::padding, Padding{}, {}, 0, "valid, same, or sizes"},
    dilation_row,
    groups_row,
    biases_row,
    fused_activation,
    {"shared", AttributeType::boolean, true, {}, 0, "the same filters everywhere; else each place has its own"},
}};

const std::array<AttributeInfo, 9> transposed_attributes{{
    filters_row,
    kernel_row,
    stride_row,
    {"padding", AttributeType::padding, Padding{}, {}, 0, "cells cut from the full output"},
    {"output_padding", AttributeType::sizes, Sizes{0, 0}, {}, 0, "extra cells at the end of each axis of the output"},
    biases_row,
    fused_activation,
    dilation_row,
    groups_row,
}};

/// What a convolution and its transpose have in common, by axis.
struct Filter {
    Spatial input;
    Axes kernel, stride, dilation, span;  ///< span: of the dilated filter
    Sides sides;
    std::int64_t filters, groups;
};

Result<Filter> filter_of(const Layer& layer, const Shape& in) {
    const auto input = spatial(layer, in, get<Sizes>(layer, "kernel").size());
    if (!input) return tl::unexpected(input.error());
    Filter f{*input, {}, {}, {}, {}, {}, get<std::int64_t>(layer, "filters"), get<std::int64_t>(layer, "groups")};
    for (const auto& [name, axes] :
         {std::pair("kernel", &f.kernel), std::pair("stride", &f.stride), std::pair("dilation", &f.dilation)}) {
        ASSIGN_OR_RETURN(*axes, per_axis(layer, name, *input));
    }
    for (std::size_t a = 0; a < 3; ++a) f.span[a] = (f.kernel[a] - 1) * f.dilation[a] + 1;
    ASSIGN_OR_RETURN(f.sides, sides(layer, *input));
    const std::int64_t c = input->channels;
    if (c % f.groups != 0)
        return wrong("Groups must divide the input channels: " + std::to_string(c) + " is no multiple of " +
                         std::to_string(f.groups) + ".",
                     "choose another number of groups");
    if (f.filters % f.groups != 0)
        return wrong("Groups must divide the filters: " + std::to_string(f.filters) + " is no multiple of " +
                         std::to_string(f.groups) + ".",
                     "choose another number of groups or filters");
    return f;
}

/// Every tap meets every filter and the channels of its group at each of `positions`: cells of the output, or of the
/// input of a transposed convolution.
Result<LayerFacts> filtered(const Layer& layer, std::span<const Shape> inputs, const Filter& f, const Axes& out,
                            const Axes& positions, const Sides& padded, bool transposed) {
    Checked per_filter = f.input.channels / f.groups;
    for (const std::int64_t k : f.kernel) per_filter = per_filter * k;
    Checked macs = per_filter * f.filters;
    for (const std::int64_t p : positions) macs = macs * p;
    const Checked weights = per_filter * f.filters + (get<bool>(layer, "bias") ? f.filters : 0);
    if (!macs.ok() || !weights.ok()) return work_overflows();
    LayerFacts facts = product(f.input.shape(out, f.filters), f.filters, macs.value(), weights.value());
    facts.groups = f.groups;
    facts.along(f.groups > 1 ? ShardAlong::channels : ShardAlong::inputs) = f.groups > 1 ? f.groups : f.input.channels;
    facts.keeps_output = has_fused_activation(layer);
    facts.convolution = ConvolutionGeometry{
        f.input.in[1],   f.input.in[2],    f.input.channels, out[1],        out[2],        f.filters, f.kernel[1],
        f.kernel[2],     f.stride[1],      f.stride[2],      f.dilation[1], f.dilation[2], f.groups,  padded.before[1],
        padded.after[1], padded.before[2], padded.after[2],  transposed,    f.input.in[0], out[0],    f.kernel[0]};
    const std::size_t a = f.input.first();
    return act_on_rows(finish(std::move(facts), inputs),
                       {f.input.in[a], f.span[a], f.stride[a], padded.before[a], transposed});
}

Result<LayerFacts> infer_convolution(const Layer& layer, std::span<const Shape> inputs) {
    ASSIGN_OR_RETURN(const auto f, filter_of(layer, inputs[0]));
    Axes out;
    Sides padded;
    for (std::size_t a = 0; a < 3; ++a) {
        const auto w = window(f.input.in[a], f.span[a], f.stride[a], get<Padding>(layer, "padding").mode,
                              f.sides.before[a], f.sides.after[a], false);
        if (w.out < 1)
            return wrong(
                "A " + f.input.text(f.kernel) + " filter does not fit on an input of " + to_text(inputs[0]) + ".",
                "use a smaller kernel, or padding \"same\"");
        out[a] = w.out, padded.before[a] = w.before, padded.after[a] = w.after;
    }
    auto facts = filtered(layer, inputs, f, out, out, padded, false);
    if (!facts || get<bool>(layer, "shared")) return facts;
    // As many weights as multiply-adds, and a bias at every place: no algorithm for filters that are alike serves.
    const Checked weights = Checked(facts->multiply_adds) + (get<bool>(layer, "bias") ? facts->out_elements : 0);
    if (!weights.ok()) return work_overflows();
    facts->weights = weights.value();
    facts->convolution.reset();
    facts->along(ShardAlong::image_rows) = 0;  // rows have weights of their own
    return finish(std::move(*facts), inputs);
}

Result<LayerFacts> infer_transposed(const Layer& layer, std::span<const Shape> inputs) {
    ASSIGN_OR_RETURN(const auto f, filter_of(layer, inputs[0]));
    ASSIGN_OR_RETURN(const auto extra, per_axis(layer, "output_padding", f.input, 0));
    Axes out;
    Sides padded = f.sides;
    for (std::size_t a = 0; a < 3; ++a) {
        if (get<Padding>(layer, "padding").mode == Padding::Mode::same) {  // output is exactly input × stride
            out[a] = f.input.in[a] * f.stride[a];
            const auto w = window(out[a], f.span[a], f.stride[a], Padding::Mode::same, 0, 0, false);
            padded.before[a] = w.before, padded.after[a] = w.after;
        } else {
            out[a] = (f.input.in[a] - 1) * f.stride[a] + f.span[a] - padded.before[a] - padded.after[a] + extra[a];
        }
        if (out[a] < 1) return wrong("The padding cuts away the whole output.", "use less padding");
    }
    return filtered(layer, inputs, f, out, f.input.in, padded, true);
}

}  // namespace

const Kind convolution{"convolution", "Convolution", convolution_attributes, 1, 1, infer_convolution};
const Kind transposed_convolution{"transposed_convolution", "Transposed convolution", transposed_attributes, 1, 1,
                                  infer_transposed};

}  // namespace scalescope::kinds
