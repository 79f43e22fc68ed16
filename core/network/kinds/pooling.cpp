// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that change the axes before the channels, channel by channel: of sequences, images and volumes. Priced by
// their bytes (docs/decisions/prices-of-layers.md): forward reads the input and writes the output, backward the same in
// the other direction.
#include <array>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

constexpr Traffic once{1, 1, 0};

const std::array<AttributeInfo, 5> pooling_attributes{{
    {"mode", AttributeType::choice, std::string("max"), "max|average|lp", 0,
     "largest value, mean, or norm of the window"},
    {"kernel", AttributeType::sizes, required, "", 1,
     "size of the window along each axis: one of a sequence, three of a volume"},
    {"stride", AttributeType::sizes, Sizes{1, 1}, {}, 1, "step of the window"},
    {"padding", AttributeType::padding, Padding{}, {}, 0, "valid, same, or sizes"},
    {"ceil", AttributeType::boolean, false, {}, 0, "round the output size up"},
}};
const std::array<AttributeInfo, 1> global_attributes{{
    {"mode", AttributeType::choice, std::string("average"), "max|average|lp", 0,
     "largest value, mean, or norm of each channel"},
}};
const std::array<AttributeInfo, 2> adaptive_attributes{{
    {"mode", AttributeType::choice, std::string("average"), "max|average", 0, "largest value or mean of each window"},
    {"output", AttributeType::sizes, {}, {}, 1, "size of the output along each axis"},
}};
const std::array<AttributeInfo, 1> upsample_attributes{{
    {"factor", AttributeType::sizes, {}, {}, 1, "how often each cell is repeated along each axis"},
}};
const std::array<AttributeInfo, 4> resize_attributes{{
    {"output", AttributeType::sizes, Sizes{}, {}, 1, "size of the output along each axis, or else a factor"},
    {"mode", AttributeType::choice, std::string("linear"), "nearest|linear|cubic|area", 0,
     "how values in between come about"},
    {"factor", AttributeType::sizes, Sizes{}, {}, 1, "times the size of the input along each axis"},
    {"divisor", AttributeType::sizes, Sizes{1, 1}, {}, 1, "the factor is divided by it; sizes are rounded down"},
}};

/// Max pooling remembers which input won, as a 64-bit index (PyTorch), a norm its input; a mean needs nothing.
Result<LayerFacts> pooled(const Layer& layer, Shape output, std::span<const Shape> inputs) {
    const std::string& mode = get<std::string>(layer, "mode");
    auto f = bytes_only(std::move(output), inputs, Division::channelwise, once, mode == "lp" ? Traffic{2, 1, 0} : once);
    if (f && mode == "max") f->mask = index_bytes;
    if (f && mode == "lp") f->keeps_input = f->keeps_output = true;
    return f;
}

Result<LayerFacts> infer_pooling(const Layer& layer, std::span<const Shape> inputs) {
    ASSIGN_OR_RETURN(const auto in, spatial(layer, inputs[0], get<Sizes>(layer, "kernel").size()));
    const auto kernel = per_axis(layer, "kernel", in), stride = per_axis(layer, "stride", in);
    const auto padded = sides(layer, in);
    if (!kernel) return tl::unexpected(kernel.error());
    if (!stride) return tl::unexpected(stride.error());
    if (!padded) return tl::unexpected(padded.error());
    Axes out, before;
    for (std::size_t a = 0; a < 3; ++a) {
        const auto w = window(in.in[a], (*kernel)[a], (*stride)[a], get<Padding>(layer, "padding").mode,
                              padded->before[a], padded->after[a], get<bool>(layer, "ceil"));
        out[a] = w.out, before[a] = w.before;
        if (out[a] < 1)
            return wrong("A " + in.text(*kernel) + " window does not fit on an input of " + to_text(inputs[0]) + ".",
                         "use a smaller kernel, or padding \"same\"");
    }
    const std::size_t a = in.first();
    return act_on_rows(pooled(layer, in.shape(out, in.channels), inputs),
                       {in.in[a], (*kernel)[a], (*stride)[a], before[a]});
}

Result<LayerFacts> infer_global(const Layer& layer, std::span<const Shape> inputs) {
    if (inputs[0].size() < 2)
        return wrong("A global_pooling layer needs axes before the channels, its input is " + to_text(inputs[0]) + ".",
                     "put a reshape before it, or leave it out");
    auto f = pooled(layer, {inputs[0].back()}, inputs);
    if (f) f->mask = 0;  // a few indices beside whole images
    if (f && inputs[0].size() >= 3) f->along(ShardAlong::pooled_rows) = inputs[0].front();
    return f;
}

/// The shape with the sizes that `output` states.
Result<Shape> stated_size(const Layer& layer, const Shape& input) {
    ASSIGN_OR_RETURN(const auto in, spatial(layer, input, get<Sizes>(layer, "output").size()));
    ASSIGN_OR_RETURN(const auto out, per_axis(layer, "output", in));
    return in.shape(out, in.channels);
}

/// The shape with the sizes of the input times `factor`, divided by `divisor` if the kind has one.
Result<Shape> scaled_size(const Layer& layer, const Shape& input, bool divided) {
    ASSIGN_OR_RETURN(const auto in, spatial(layer, input, get<Sizes>(layer, "factor").size()));
    const auto factor = per_axis(layer, "factor", in);
    if (!factor) return tl::unexpected(factor.error());
    const Result<Axes> divisor = divided ? per_axis(layer, "divisor", in) : Axes{1, 1, 1};
    if (!divisor) return tl::unexpected(divisor.error());
    Axes out;
    for (std::size_t a = 0; a < 3; ++a) {
        const Checked n = Checked(in.in[a]) * (*factor)[a];
        if (!n.ok()) return wrong("The output is too large to count.", "use a smaller factor");
        out[a] = n.value() / (*divisor)[a];
    }
    return in.shape(out, in.channels);
}

Result<LayerFacts> infer_adaptive(const Layer& layer, std::span<const Shape> inputs) {
    ASSIGN_OR_RETURN(const auto out, stated_size(layer, inputs[0]));
    return pooled(layer, out, inputs);
}

Result<LayerFacts> infer_upsample(const Layer& layer, std::span<const Shape> inputs) {
    ASSIGN_OR_RETURN(const auto out, scaled_size(layer, inputs[0], false));
    const std::int64_t factor = out.front() / inputs[0].front();
    return act_on_rows(bytes_only(out, inputs, Division::channelwise, once, once),
                       {inputs[0].front(), factor, factor, 0, true});
}

Result<LayerFacts> infer_resize(const Layer& layer, std::span<const Shape> inputs) {
    const bool stated = !get<Sizes>(layer, "output").empty();
    if (stated != get<Sizes>(layer, "factor").empty())
        return wrong("A resize has either the size of its output or a factor.", "give one of the two");
    ASSIGN_OR_RETURN(const auto out, stated ? stated_size(layer, inputs[0]) : scaled_size(layer, inputs[0], true));
    return bytes_only(out, inputs, Division::channelwise, once, once);
}

}  // namespace

const Kind pooling{"pooling", "Pooling", pooling_attributes, 1, 1, infer_pooling};
const Kind global_pooling{"global_pooling", "Global pooling", global_attributes, 1, 1, infer_global};
const Kind adaptive_pooling{"adaptive_pooling", "Adaptive pooling", adaptive_attributes, 1, 1, infer_adaptive};
const Kind upsample{"upsample", "Upsampling", upsample_attributes, 1, 1, infer_upsample};
const Kind resize{"resize", "Resize", resize_attributes, 1, 1, infer_resize};

}  // namespace scalescope::kinds
