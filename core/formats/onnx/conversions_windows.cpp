// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions, pooling and changes of size.
#include <array>

#include "core/base/limits.hpp"
#include "core/formats/onnx/converter.hpp"
#include "core/formats/onnx/window_shape.hpp"

namespace scalescope::formats::onnx {
namespace {

/// An image, or a line as an image one high: the layers here have height and width.
std::optional<std::size_t> as_image(Converter& c, int s) {
    const Sample is = c.sample(s);
    const std::size_t rank = is.dims.size();
    if (rank != 3 && rank != 4) return std::nullopt;
    // One image of each sample, or one alone.
    if (is.batch > 0 || is.dims[0] != 1) return std::nullopt;
    const std::size_t layer = c.arranged(s, channels_last(rank));
    if (rank == 4) return c.shown_as(layer, {is.dims[2], is.dims[3], is.dims[1]});
    return c.shown_as(layer, {1, is.dims[2], is.dims[1]});
}

std::optional<Windows> find_windows(Converter& c, int in, const Dims& kernel) {
    std::vector<const Value*> values;
    Step step(c.node(), c.item().opset, values);
    return windows_of(step, c.value(in).dims, kernel);
}

/// The entry for an axis, with 1 (or `other`) for the height of a line.
std::vector<std::int64_t> two(const Dims& of, std::int64_t other = 1) {
    return of.size() == 1 ? std::vector<std::int64_t>{other, of[0]} : std::vector<std::int64_t>{of[0], of[1]};
}

std::optional<Padding> padding(const Dims& before, const Dims& after) {
    const auto b = two(before, 0), a = two(after, 0);
    for (const auto v : {b[0], b[1], a[0], a[1]})
        if (v < 0) return std::nullopt;
    return Padding{Padding::Mode::explicit_sizes, b[0], a[0], b[1], a[1]};
}

/// Exporters rename the weights into which they fold a normalization: "onnx::Conv_497".
bool looks_folded(const Slot& weights) { return weights.initial && weights.name.find("onnx::Conv") == 0; }

bool convolution_of(Converter& c, std::size_t in_at, std::size_t filters_at, std::size_t bias_at) {
    const int in = c.input(in_at), filters = c.input(filters_at), bias = c.input(bias_at);
    if (filters < 0 || c.is_data(filters)) return false;
    const Dims& shape = c.value(filters).dims;
    if (shape.size() < 3 || shape.size() > 4) return false;
    const auto image = as_image(c, in);
    const Dims kernel(shape.begin() + 2, shape.end());
    const auto w = find_windows(c, in, kernel);
    const auto pads = w ? padding(w->before, w->after) : std::nullopt;
    if (!image || !pads) return false;
    const Converter::Givens given{
        {"filters", shape[0]}, {"kernel", two(kernel)},        {"stride", two(w->stride)},
        {"padding", *pads},    {"dilation", two(w->dilation)}, {"groups", c.integer("group", 1)},
        {"bias", bias >= 0}};
    if (!c.become("convolution", given, {*image}, channels_last(shape.size()))) return false;
    c.weights({filters, bias});
    if (bias >= 0 && looks_folded(c.slot(filters))) c.folded(shape[0]);
    return true;
}

bool conv(Converter& c) { return convolution_of(c, 0, 1, 2); }

bool quantized_conv(Converter& c) {
    c.note("it computes with integers, here with the precision of the others.", "Read its time with that in mind.");
    return c.node().op == "QLinearConv" ? convolution_of(c, 0, 3, 8) : convolution_of(c, 0, 1, 99);
}

bool transposed_conv(Converter& c) {
    const int in = c.input(0), filters = c.input(1), bias = c.input(2);
    if (filters < 0 || c.is_data(filters)) return false;
    const Dims& shape = c.value(filters).dims;
    if (shape.size() < 3 || shape.size() > 4 || c.integer("group", 1) != 1) return false;
    const std::size_t n = shape.size() - 2;
    const auto ints = [&](std::string_view name, Dims otherwise) {
        const Attribute* a = c.node().find(name);
        return a ? a->integers : otherwise;
    };
    if (ints("dilations", Dims(n, 1)) != Dims(n, 1)) return false;
    const Dims stride = ints("strides", Dims(n, 1)), kernel(shape.begin() + 2, shape.end()),
               extra = ints("output_padding", Dims(n, 0));
    const Dims& out = c.value(c.output()).dims;
    const Dims& from = c.value(in).dims;
    Dims before(n), after(n);
    for (const Dims& sizes : {ints("pads", {}), extra})
        for (const auto v : sizes)
            if (v < 0 || v > limits::dimension) return false;
    // However the file says it: what is cut off the full output follows from its size.
    const Dims pads = ints("pads", Dims(2 * n, 0));
    for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t cut = (from[i + 2] - 1) * stride[i] + extra[i] + kernel[i] - out[i + 2];
        const bool told = pads[i] + pads[i + n] == cut;
        before[i] = told ? pads[i] : cut / 2;
        after[i] = cut - before[i];
    }
    const auto cuts = padding(before, after);
    const auto image = as_image(c, in);
    if (!image || !cuts) return false;
    const Converter::Givens given{{"filters", shape[1]}, {"kernel", two(kernel)},           {"stride", two(stride)},
                                  {"padding", *cuts},    {"output_padding", two(extra, 0)}, {"bias", bias >= 0}};
    if (!c.become("transposed_convolution", given, {*image}, channels_last(shape.size()))) return false;
    c.weights({filters, bias});
    return true;
}

bool pooling(Converter& c) {
    const int in = c.input(0);
    const Attribute* kernel = c.node().find("kernel_shape");
    if (!kernel || kernel->integers.empty() || kernel->integers.size() > 2) return false;
    const auto w = find_windows(c, in, kernel->integers);
    const auto pads = w ? padding(w->before, w->after) : std::nullopt;
    const auto image = as_image(c, in);
    if (!image || !pads || w->dilation != Dims(kernel->integers.size(), 1)) return false;
    const std::string mode = c.node().op == "MaxPool" ? "max" : "average";
    Padding padded = *pads;
    // A window that hangs over the edge is padding here.
    const auto stride = two(w->stride), size = two(kernel->integers);
    const auto out = two(w->out), from = two(Dims(c.value(in).dims.begin() + 2, c.value(in).dims.end()));
    const auto reach = [&](std::size_t i) { return (out[i] - 1) * stride[i] + size[i] - from[i]; };
    padded.bottom = std::max(padded.bottom, reach(0) - padded.top);
    padded.right = std::max(padded.right, reach(1) - padded.left);
    return c.become("pooling", {{"mode", mode}, {"kernel", size}, {"stride", stride}, {"padding", padded}}, {*image},
                    channels_last(c.value(in).dims.size()));
}

bool global_pooling(Converter& c) {
    const int in = c.input(0);
    const auto image = as_image(c, in);
    if (!image) return false;
    const std::string mode = c.node().op == "GlobalMaxPool" ? "max" : "average";
    return c.become("global_pooling", {{"mode", mode}}, {*image}, channels_last(c.value(in).dims.size()));
}

bool upsampling(Converter& c) {
    const int in = c.input(0);
    const Dims &from = c.value(in).dims, &to = c.value(c.output()).dims;
    if (from.size() != 4 || from[1] != to[1]) return false;
    if (from == to) {
        c.view(in);
        return true;
    }
    const auto image = as_image(c, in);
    if (!image || to[2] % from[2] != 0 || to[3] % from[3] != 0) return false;
    return c.become("upsample", {{"factor", std::vector<std::int64_t>{to[2] / from[2], to[3] / from[3]}}}, {*image},
                    channels_last(4));
}

constexpr std::array window_rows{ConversionRow{"Conv", conv},
                                 ConversionRow{"FusedConv", conv},
                                 ConversionRow{"QLinearConv", quantized_conv},
                                 ConversionRow{"ConvInteger", quantized_conv},
                                 ConversionRow{"ConvTranspose", transposed_conv},
                                 ConversionRow{"MaxPool", pooling},
                                 ConversionRow{"AveragePool", pooling},
                                 ConversionRow{"LpPool", pooling},
                                 ConversionRow{"GlobalAveragePool", global_pooling},
                                 ConversionRow{"GlobalMaxPool", global_pooling},
                                 ConversionRow{"GlobalLpPool", global_pooling},
                                 ConversionRow{"Upsample", upsampling},
                                 ConversionRow{"Resize", upsampling}};

}  // namespace

std::span<const ConversionRow> window_conversions() { return window_rows; }

}  // namespace scalescope::formats::onnx
