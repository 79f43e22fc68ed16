// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions: of one and two axes as ours, separable ones as two, others by their bytes.
#include <algorithm>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/formats/keras/activation.hpp"
#include "core/formats/keras/window.hpp"

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
    c.window.padding = f.word({"padding", "border_mode"}, "valid");
    const bool causal = c.window.padding == "causal" && c.axes == 1;
    if (c.window.padding != "valid" && c.window.padding != "same" && c.window.padding != "full" && !causal)
        f.error(*f.find({"padding", "border_mode"}),
                "There is no padding called " + quoted(c.window.padding) + " here.", "Write \"valid\" or \"same\".");
    c.groups = f.integer({"groups"}, 1, 1, limits::dimension);
    c.bias = f.flag({"use_bias", "bias"}, true);
    if (f.failed()) return std::nullopt;
    auto in = use.arranged(use.inputs[0], first);
    if (!in) return std::nullopt;
    c.in = std::move(*in);
    return c;
}

std::int64_t channels_of(const KerasTensor& tensor) { return tensor.first ? tensor.dims.front() : tensor.dims.back(); }

Sizes in_two(Sizes sizes) {
    if (sizes.size() == 1) sizes.push_back(1);
    return sizes;
}

/// A convolution of one or two axes, over `in`, which is an image already.
std::optional<KerasTensor> convolve(KerasUse& use, const KerasFilter& c, const KerasTensor& in, std::int64_t filters,
                                    std::int64_t groups, bool bias, bool last, std::string_view part) {
    Givens given{{"filters", filters},
                 {"kernel", in_two(c.window.kernel)},
                 {"stride", in_two(c.window.stride)},
                 {"dilation", in_two(c.window.dilation)},
                 {"padding", c.window.padded()},
                 {"groups", groups},
                 {"bias", bias}};
    if (last) given.push_back({"activation", fused_activation_of(use)});
    return use.add("convolution", given, {in}, part);
}

/// What the layer did before its activation, if that is none a convolution does in place.
KerasTensors finish_convolution(KerasUse& use, const KerasFilter& c, std::optional<KerasTensor> out) {
    if (out && c.axes == 1) out = as_sequence(use, *out);
    return only(out ? activated(use, *out) : out);
}

KerasTensors by_bytes(KerasUse& use, const KerasFilter& c, Checked weights) {
    const KerasDims dims =
        changed_dims(c.in, c.filters, [&](std::size_t a, std::int64_t size) { return c.window.out(a, size); });
    use.inputs = {c.in};
    auto out = use.unknown(dims, weights.ok() ? weights.value() : limits::elements);
    return only(out ? activated(use, *out) : out);
}

Checked kernel_elements(const KerasFilter& c) {
    Checked n = 1;
    for (const std::int64_t k : c.window.kernel) n = n * k;
    return n;
}

KerasTensors keras_convolution(KerasUse& use) {
    const auto c = filter_of(use);
    if (!c) return {};
    if (c->axes > 2)
        return by_bytes(
            use, *c, kernel_elements(*c) * (channels_of(c->in) / c->groups) * c->filters + (c->bias ? c->filters : 0));
    const auto in = c->axes == 1 ? as_image(use, c->in) : c->in;
    if (!in) return {};
    return finish_convolution(use, *c, convolve(use, *c, *in, c->filters, c->groups, c->bias, true, {}));
}

KerasTensors keras_depthwise(KerasUse& use) {
    const auto c = filter_of(use, false);
    if (!c) return {};
    const auto in = c->axes == 1 ? as_image(use, c->in) : c->in;
    const std::int64_t channels = channels_of(c->in),
                       each = use.fields.integer({"depth_multiplier"}, 1, 1, limits::dimension);
    if (!in || use.fields.failed()) return {};
    const Checked filters = Checked(channels) * each;
    if (!filters.ok())
        return use.error("The channels are too many to count.", "Correct depth_multiplier."), KerasTensors{};
    return finish_convolution(use, *c, convolve(use, *c, *in, filters.value(), channels, c->bias, true, {}));
}

KerasTensors keras_separable(KerasUse& use) {
    const auto c = filter_of(use);
    if (!c) return {};
    const auto in = c->axes == 1 ? as_image(use, c->in) : c->in;
    const std::int64_t channels = channels_of(c->in),
                       each = use.fields.integer({"depth_multiplier"}, 1, 1, limits::dimension);
    if (!in || use.fields.failed()) return {};
    const Checked filters = Checked(channels) * each;
    if (!filters.ok())
        return use.error("The channels are too many to count.", "Correct depth_multiplier."), KerasTensors{};
    const auto deep = convolve(use, *c, *in, filters.value(), channels, false, false, "depthwise");
    if (!deep) return {};
    KerasFilter point = *c;
    point.window = {Sizes(c->axes, 1), Sizes(c->axes, 1), Sizes(c->axes, 1), "valid"};
    return finish_convolution(use, *c, convolve(use, point, *deep, c->filters, 1, c->bias, true, "pointwise"));
}

/// Keras makes in·stride of `same`, and (in − 1)·stride + max(kernel, stride) otherwise.
KerasTensors keras_transposed(KerasUse& use) {
    const auto c = filter_of(use);
    if (!c) return {};
    KerasFields& f = use.fields;
    Sizes extra = f.sizes({"output_padding"}, c->axes, 0);
    const bool same = c->window.padding == "same", told = !extra.empty();
    const bool plain = std::all_of(c->window.dilation.begin(), c->window.dilation.end(), [](auto d) { return d == 1; });
    if (f.failed()) return {};
    if (c->window.padding != "valid" && !same) {
        f.error(*f.find({"padding", "border_mode"}), "A transposed convolution is padded \"valid\" or \"same\".",
                "Write one of them.");
        return {};
    }
    Sizes cut(c->axes, 0);
    for (std::size_t a = 0; a < c->axes; ++a) {
        const std::int64_t reach = (c->window.kernel[a] - 1) * c->window.dilation[a] + 1;
        if (same) cut[a] = reach / 2;
        if (!told) extra.push_back(same ? 0 : std::max<std::int64_t>(0, c->window.stride[a] - reach));
    }
    const auto out_of = [&](std::size_t a, std::int64_t in) {
        const std::int64_t reach = (c->window.kernel[a] - 1) * c->window.dilation[a] + 1;
        if (same && !told) return in * c->window.stride[a];
        return (in - 1) * c->window.stride[a] + reach - 2 * cut[a] + extra[a];
    };
    if (c->axes > 2 || !plain) {
        use.inputs = {c->in};
        const Checked weights = kernel_elements(*c) * channels_of(c->in) * c->filters + (c->bias ? c->filters : 0);
        auto out =
            use.unknown(changed_dims(c->in, c->filters, out_of), weights.ok() ? weights.value() : limits::elements);
        return only(out ? activated(use, *out) : out);
    }
    const auto in = c->axes == 1 ? as_image(use, c->in) : c->in;
    if (!in) return {};
    Padding padding;
    if (same && !told) padding.mode = Padding::Mode::same;
    if (same && told)
        padding = {Padding::Mode::explicit_sizes, cut[0], cut[0], c->axes > 1 ? cut[1] : 0, c->axes > 1 ? cut[1] : 0};
    if (c->axes == 1) extra.push_back(0);
    return finish_convolution(use, *c,
                              use.add("transposed_convolution",
                                      {{"filters", c->filters},
                                       {"kernel", in_two(c->window.kernel)},
                                       {"stride", in_two(c->window.stride)},
                                       {"padding", padding},
                                       {"output_padding", extra},
                                       {"bias", c->bias},
                                       {"activation", fused_activation_of(use)}},
                                      {*in}));
}

/// A filter of its own at every place, with a bias at every place.
KerasTensors keras_unshared(KerasUse& use) {
    const auto c = filter_of(use);
    if (!c) return {};
    Checked places = 1;
    const std::size_t from = c->in.first ? 1 : 0;
    for (std::size_t a = 0; a < c->axes; ++a) places = places * c->window.out(a, c->in.dims[from + a]);
    return by_bytes(use, *c,
                    places * (kernel_elements(*c) * channels_of(c->in) * c->filters + (c->bias ? c->filters : 0)));
}

constexpr KerasType convolution_types[] = {
    {"Conv1D", keras_convolution},
    {"Conv2D", keras_convolution},
    {"Conv3D", keras_convolution},
    {"Convolution1D", keras_convolution},
    {"Convolution2D", keras_convolution},
    {"Convolution3D", keras_convolution},
    {"AtrousConvolution1D", keras_convolution},
    {"AtrousConvolution2D", keras_convolution},
    {"DepthwiseConv1D", keras_depthwise},
    {"DepthwiseConv2D", keras_depthwise},
    {"SeparableConv1D", keras_separable},
    {"SeparableConv2D", keras_separable},
    {"SeparableConvolution1D", keras_separable},
    {"SeparableConvolution2D", keras_separable},
    {"Conv1DTranspose", keras_transposed},
    {"Conv2DTranspose", keras_transposed},
    {"Conv3DTranspose", keras_transposed},
    {"Convolution2DTranspose", keras_transposed},
    {"Convolution3DTranspose", keras_transposed},
    {"Deconvolution2D", keras_transposed},
    {"Deconvolution3D", keras_transposed},
    {"LocallyConnected1D", keras_unshared},
    {"LocallyConnected2D", keras_unshared},
};

}  // namespace

std::span<const KerasType> keras_convolution_types() { return convolution_types; }

}  // namespace scalescope::formats
