// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions: separable ones as two, those whose filters differ from place to place by their bytes.
#include <algorithm>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/formats/keras/use.hpp"

namespace scalescope::formats {
namespace {

using Sizes = KerasFields::Sizes;
using Givens = DraftBuilder::Givens;

/// What every convolution says.
struct KerasFilter {
    std::size_t axes = 2;
    std::int64_t filters = 1;
    KerasWindow window;
    std::int64_t groups = 1;
    bool bias = true;
    KerasTensor in;
};

Sizes kernel_of(KerasUse& use, std::size_t axes) {
    KerasFields& f = use.fields;
    if (Sizes all = f.sizes({"kernel_size", "filter_length"}, axes); !all.empty()) return all;
    if (axes == 2 && f.has({"nb_row"})) return {f.count({"nb_row"}), f.count({"nb_col"})};
    if (axes == 3 && f.has({"kernel_dim1"}))
        return {f.count({"kernel_dim1"}), f.count({"kernel_dim2"}), f.count({"kernel_dim3"})};
    return Sizes(axes, f.count({"kernel_size"}));
}

Sizes ones_unless(Sizes all, std::size_t axes) { return all.empty() ? Sizes(axes, 1) : all; }

/// Nothing if something is wrong with it, which is reported.
std::optional<KerasFilter> filter_of(KerasUse& use, bool own_filters = true) {
    KerasFilter c;
    KerasFields& f = use.fields;
    c.axes = keras_axes(use.layer.type);
    const bool first = keras_channels_first(use);
    if (!has_axes(use, use.inputs[0], c.axes)) return std::nullopt;
    if (own_filters) c.filters = f.count({"filters", "nb_filter"});
    c.window.kernel = kernel_of(use, c.axes);
    c.window.stride = ones_unless(f.sizes({"strides", "subsample", "subsample_length"}, c.axes), c.axes);
    c.window.dilation = ones_unless(f.sizes({"dilation_rate", "atrous_rate"}, c.axes), c.axes);
    c.window.padding = keras_padding(use, c.axes == 1 ? "valid same full causal" : "valid same full");
    for (Sizes* sizes : {&c.window.kernel, &c.window.stride, &c.window.dilation}) *sizes = with_time(use, *sizes);
    c.groups = f.integer({"groups"}, 1, 1, limits::dimension);
    c.bias = f.flag({"use_bias", "bias"}, true);
    if (f.failed()) return std::nullopt;
    auto in = use.arranged(use.inputs[0], first);
    if (!in) return std::nullopt;
    c.in = std::move(*in);
    return c;
}

std::int64_t channels_of(const KerasTensor& tensor) { return tensor.first ? tensor.dims.front() : tensor.dims.back(); }

std::optional<KerasTensor> convolve(KerasUse& use, const KerasFilter& c, const KerasTensor& in, std::int64_t filters,
                                    std::int64_t groups, bool bias, bool last, std::string_view part) {
    Givens given{{"filters", filters},
                 {"kernel", c.window.kernel},
                 {"stride", c.window.stride},
                 {"dilation", c.window.dilation},
                 {"padding", c.window.padded()},
                 {"groups", groups},
                 {"bias", bias}};
    if (last) given.push_back({"activation", fused_activation_of(use)});
    return use.add("convolution", given, {in}, part);
}

/// With the activation, if that is none a convolution does in place.
KerasTensors finish_convolution(KerasUse& use, std::optional<KerasTensor> out) {
    return only(out ? activated(use, *out) : out);
}

KerasTensors keras_convolution(KerasUse& use) {
    const auto c = filter_of(use);
    if (!c) return {};
    return finish_convolution(use, convolve(use, *c, c->in, c->filters, c->groups, c->bias, true, {}));
}

/// Filters of their own for each channel: how many in all, or nothing after a problem.
std::optional<std::int64_t> depthwise_filters(KerasUse& use, const KerasFilter& c) {
    const Checked filters =
        Checked(channels_of(c.in)) * use.fields.integer({"depth_multiplier"}, 1, 1, limits::dimension);
    if (use.fields.failed()) return std::nullopt;
    if (filters.ok()) return filters.value();
    return use.error("The channels are too many to count.", "Correct depth_multiplier.");
}

KerasTensors keras_depthwise(KerasUse& use) {
    const auto c = filter_of(use, false);
    const auto filters = c ? depthwise_filters(use, *c) : std::nullopt;
    if (!filters) return {};
    return finish_convolution(use, convolve(use, *c, c->in, *filters, channels_of(c->in), c->bias, true, {}));
}

KerasTensors keras_separable(KerasUse& use) {
    const auto c = filter_of(use);
    const auto filters = c ? depthwise_filters(use, *c) : std::nullopt;
    if (!filters) return {};
    const auto deep = convolve(use, *c, c->in, *filters, channels_of(c->in), false, false, "depthwise");
    if (!deep) return {};
    KerasFilter point = *c;
    const Sizes ones(c->window.kernel.size(), 1);
    point.window = {ones, ones, ones, "valid"};
    return finish_convolution(use, convolve(use, point, *deep, c->filters, 1, c->bias, true, "pointwise"));
}

/// Keras makes in·stride of `same`, and (in − 1)·stride + max(kernel, stride) otherwise.
KerasTensors keras_transposed(KerasUse& use) {
    const auto c = filter_of(use);
    if (!c) return {};
    KerasFields& f = use.fields;
    const Sizes given = f.sizes({"output_padding"}, c->axes, 0);
    const bool same = c->window.padding == "same", told = !given.empty();
    if (f.failed()) return {};
    if (c->window.padding != "valid" && !same)
        return f.error(*f.find({"padding", "border_mode"}), "A transposed convolution is padded \"valid\" or \"same\".",
                       "Write one of them.");
    const KerasWindow& w = c->window;
    Sizes extra(w.kernel.size(), 0);
    Padding padding;
    if (same && !told) padding.mode = Padding::Mode::same;
    if (same && told) {  // what `same` means then: half a kernel on both sides
        KerasWindow half = w;
        for (std::size_t a = 0; a < half.kernel.size(); ++a) {
            half.kernel[a] = ((w.kernel[a] - 1) * w.dilation[a] + 1) / 2 + 1;
            half.dilation[a] = 1;
        }
        half.padding = "full";
        padding = half.padded();
    }
    if (told) extra = with_time(use, given);
    if (told && use.over_time) extra[0] = 0;
    for (std::size_t a = 0; a < extra.size() && !told && !same; ++a)
        extra[a] = std::max<std::int64_t>(0, w.stride[a] - ((w.kernel[a] - 1) * w.dilation[a] + 1));
    return finish_convolution(use, use.add("transposed_convolution",
                                           {{"filters", c->filters},
                                            {"kernel", w.kernel},
                                            {"stride", w.stride},
                                            {"dilation", w.dilation},
                                            {"padding", padding},
                                            {"output_padding", extra},
                                            {"bias", c->bias},
                                            {"activation", fused_activation_of(use)}},
                                           {c->in}));
}

/// A filter of its own at every place, with a bias at every place.
KerasTensors keras_unshared(KerasUse& use) {
    const auto c = filter_of(use);
    if (!c) return {};
    return finish_convolution(use, use.add("convolution",
                                           {{"filters", c->filters},
                                            {"kernel", c->window.kernel},
                                            {"stride", c->window.stride},
                                            {"padding", c->window.padded()},
                                            {"bias", c->bias},
                                            {"activation", fused_activation_of(use)},
                                            {"shared", false}},
                                           {c->in}));
}

constexpr KerasType convolution_types[] = {
    {"Conv1D Conv2D Convolution1D Convolution2D AtrousConvolution1D AtrousConvolution2D", keras_convolution, true},
    {"Conv3D Convolution3D", keras_convolution},
    {"DepthwiseConv1D DepthwiseConv2D", keras_depthwise, true},
    {"SeparableConv1D SeparableConv2D SeparableConvolution1D SeparableConvolution2D", keras_separable, true},
    {"Conv1DTranspose Conv2DTranspose Convolution2DTranspose Deconvolution2D", keras_transposed, true},
    {"Conv3DTranspose Convolution3DTranspose Deconvolution3D", keras_transposed},
    {"LocallyConnected1D LocallyConnected2D", keras_unshared},
};

}  // namespace

std::span<const KerasType> keras_convolution_types() { return convolution_types; }

}  // namespace scalescope::formats
