// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions, pooling and changes of size.
#include <algorithm>
#include <cmath>

#include "core/base/limits.hpp"
#include "core/formats/onnx/converter.hpp"
#include "core/formats/onnx/step.hpp"

namespace scalescope::formats::onnx {
namespace {

/// A line, an image or a volume of each sample (or one alone), channels last.
std::optional<std::size_t> as_image(Converter& c, int s) {
    const Sample is = c.sample(s);
    const std::size_t rank = is.dims.size();
    if (rank < 3 || rank > 5 || is.batch > 0 || is.dims[0] != 1) return std::nullopt;
    const std::size_t layer = c.arranged(s, channels_last(rank));
    Shape shape(is.dims.begin() + 2, is.dims.end());
    shape.push_back(is.dims[1]);
    return c.shown_as(layer, shape);
}

std::optional<Windows> find_windows(Converter& c, int in, const Dims& kernel) {
    std::vector<const Value*> values;
    Step step(c.node(), c.item().opset, values);
    return windows_of(step, c.value(in).dims, kernel);
}

std::optional<Padding> padding(const Dims& before, const Dims& after) {
    const std::size_t n = before.size();
    if (n < 1 || n > 3 || after.size() != n) return std::nullopt;
    for (std::size_t i = 0; i < n; ++i)
        if (before[i] < 0 || after[i] < 0) return std::nullopt;
    Padding p{Padding::Mode::explicit_sizes, 0, 0, before[n - 1], after[n - 1]};
    if (n > 1) p.top = before[n - 2], p.bottom = after[n - 2];
    if (n > 2) p.front = before[0], p.back = after[0];
    p.axes = static_cast<int>(n);
    return p;
}

/// Exporters rename the weights into which they fold a normalization: "onnx::Conv_497".
bool looks_folded(const Slot& weights) { return weights.initial && weights.name.find("onnx::Conv") == 0; }

bool convolution_of(Converter& c, std::size_t in_at, std::size_t filters_at, std::size_t bias_at) {
    const int in = c.input(in_at), filters = c.input(filters_at), bias = c.input(bias_at);
    if (filters < 0 || c.is_data(filters)) return false;
    const Dims& shape = c.value(filters).dims;
    if (shape.size() < 3 || shape.size() > 5) return false;
    const auto image = as_image(c, in);
    const Dims kernel(shape.begin() + 2, shape.end());
    const auto w = find_windows(c, in, kernel);
    const auto pads = w ? padding(w->before, w->after) : std::nullopt;
    if (!image || !pads) return false;
    const Converter::Givens given{{"filters", shape[0]}, {"kernel", kernel},        {"stride", w->stride},
                                  {"padding", *pads},    {"dilation", w->dilation}, {"groups", c.integer("group", 1)},
                                  {"bias", bias >= 0}};
    if (!c.become("convolution", given, {*image}, channels_last(shape.size()))) return false;
    c.weights({filters, bias});
    if (bias >= 0 && looks_folded(c.slot(filters))) c.folded(shape[0]);
    return true;
}

bool conv(Converter& c) { return convolution_of(c, 0, 1, 2); }

/// ONNX Runtime's: a tensor may be added to the result, and a function applied to the sum.
bool fused_conv(Converter& c) {
    const int more = c.input(3);
    if (more >= 0 && !c.all_alike({more, c.output()})) return false;
    if (!convolution_of(c, 0, 1, 2)) return false;
    if (more < 0) return true;
    const Converter::Place made = c.place(c.output());
    const auto sum = c.helper("sum", "add", {}, {made.layer, c.arranged(more, made.order)});
    if (sum) c.set_place(c.output(), *sum, made.order);
    return sum.has_value();
}

/// Where each filter looks is read beside; the products are those of any convolution.
bool deformed_conv(Converter& c) {
    if (!convolution_of(c, 0, 1, 3)) return false;
    c.note("where its filters look is computed before; reading that is not counted.",
           "Read its time as that of a plain convolution.");
    return true;
}

bool quantized_conv(Converter& c) {
    c.note("it computes with integers, here with the precision of the others.", "Read its time with that in mind.");
    return c.node().op == "QLinearConv" ? convolution_of(c, 0, 3, 8) : convolution_of(c, 0, 1, 99);
}

bool transposed_conv(Converter& c) {
    const int in = c.input(0), filters = c.input(1), bias = c.input(2);
    if (filters < 0 || c.is_data(filters)) return false;
    const Dims& shape = c.value(filters).dims;
    const std::int64_t groups = c.integer("group", 1);
    if (shape.size() < 3 || shape.size() > 5 || groups < 1 || groups > limits::dimension) return false;
    const std::size_t n = shape.size() - 2;
    const auto ints = [&](std::string_view name, Dims otherwise) {
        const Attribute* a = c.node().find(name);
        return a ? a->integers : otherwise;
    };
    const Dims stride = ints("strides", Dims(n, 1)), kernel(shape.begin() + 2, shape.end()),
               extra = ints("output_padding", Dims(n, 0)), dilation = ints("dilations", Dims(n, 1));
    const Dims& out = c.value(c.output()).dims;
    const Dims& from = c.value(in).dims;
    Dims before(n), after(n);
    for (const Dims& sizes : {ints("pads", {}), extra})
        for (const auto v : sizes)
            if (v < 0 || v > limits::dimension) return false;
    // However the file says it: what is cut off the full output follows from its size.
    const Dims pads = ints("pads", Dims(2 * n, 0));
    for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t cut =
            (from[i + 2] - 1) * stride[i] + extra[i] + (kernel[i] - 1) * dilation[i] + 1 - out[i + 2];
        const bool told = pads[i] + pads[i + n] == cut;
        before[i] = told ? pads[i] : cut / 2;
        after[i] = cut - before[i];
    }
    const auto cuts = padding(before, after);
    const auto image = as_image(c, in);
    if (!image || !cuts) return false;
    const Converter::Givens given{
        {"filters", shape[1] * groups}, {"kernel", kernel}, {"stride", stride},        {"padding", *cuts},
        {"dilation", dilation},         {"groups", groups}, {"output_padding", extra}, {"bias", bias >= 0}};
    return c.become("transposed_convolution", given, {*image}, channels_last(shape.size())) &&
           c.weights({filters, bias});
}

/// Of integers, the output's scale and zero point stand behind the input's; a flag says that channels are last.
bool pooling(Converter& c) {
    const int in = c.input(0);
    const Dims& kernel = c.node().said("kernel_shape").integers;
    const std::size_t n = kernel.size();
    if (n == 0 || n > 3 || c.integer("channels_last", 0) != 0) return false;
    const auto w = find_windows(c, in, kernel);
    const auto image = as_image(c, in);
    if (!image || !w) return false;
    const std::string& op = c.node().op;
    const std::string mode = op == "MaxPool" ? "max" : op == "LpPool" ? "lp" : "average";
    // A window with gaps reaches as far as one without; one that hangs over the edge is padding here.
    Dims reach(n), after = w->after;
    for (std::size_t i = 0; i < n; ++i) {
        reach[i] = (w->kernel[i] - 1) * w->dilation[i] + 1;
        after[i] =
            std::max(after[i], (w->out[i] - 1) * w->stride[i] + reach[i] - c.value(in).dims[i + 2] - w->before[i]);
    }
    const auto pads = padding(w->before, after);
    return pads && c.become("pooling", {{"mode", mode}, {"kernel", reach}, {"stride", w->stride}, {"padding", *pads}},
                            {*image}, channels_last(n + 2));
}

bool global_pooling(Converter& c) {
    const int in = c.input(0);
    if (c.integer("channels_last", 0) != 0) return false;
    const auto image = as_image(c, in);
    if (!image) return false;
    const std::string& op = c.node().op;
    const std::string mode = op == "GlobalMaxPool" ? "max" : op == "GlobalLpPool" ? "lp" : "average";
    return c.become("global_pooling", {{"mode", mode}}, {*image}, channels_last(c.value(in).dims.size()));
}

/// A factor as a fraction of small numbers, as they are written; nothing if it is none.
std::optional<std::pair<std::int64_t, std::int64_t>> fraction(double factor) {
    constexpr std::int64_t most = 64;
    constexpr double rounding = 1e-6;  // of a factor kept in 32 bits
    for (std::int64_t q = 1; q <= most && factor > 0 && factor < 1e6; ++q) {
        const double p = factor * static_cast<double>(q), whole = std::round(p);
        if (whole >= 1 && std::abs(p - whole) <= rounding * p) return std::pair(static_cast<std::int64_t>(whole), q);
    }
    return std::nullopt;
}

/// Factors of the axes `space` of ONNX as numerators and denominators, if the file says factors and they give `to`.
struct Factors {
    std::vector<std::int64_t> times, by;
};
std::optional<Factors> factors_of(Converter& c, const std::vector<std::size_t>& space, const Dims& from,
                                  const Dims& to) {
    const std::size_t place = place_of_factors(c.node(), c.item().opset);
    const int given = place < c.item().inputs.size() ? c.input(place) : -1;
    static const Value absent;
    const auto all = resize_factors(c.node(), given < 0 ? absent : c.value(given), from.size());
    std::vector<double> each(from.size(), 1);
    const Attribute* some = c.node().find("axes");
    if (all.empty() || all.size() != (some ? some->integers.size() : from.size())) return std::nullopt;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto axis = axis_of(some ? some->integers[i] : static_cast<std::int64_t>(i), from.size());
        if (!axis) return std::nullopt;
        each[*axis] = all[i];
    }
    Factors f;
    for (const std::size_t a : space) {
        const auto found = fraction(each[a]);
        std::int64_t size = 0;
        if (!found || __builtin_mul_overflow(from[a], found->first, &size) || size / found->second != to[a])
            return std::nullopt;
        f.times.push_back(found->first);
        f.by.push_back(found->second);
    }
    return f;
}

/// Another size of a line, an image or a volume, whose channels come first or last.
bool upsampling(Converter& c) {
    const int in = c.input(0);
    const Dims &from = c.value(in).dims, &to = c.value(c.output()).dims;
    const std::size_t rank = from.size();
    if (to.size() != rank) return false;
    if (from == to) {
        c.view(in);
        return true;
    }
    if (rank < 3 || rank > 5 || from[0] != to[0]) return false;
    const Sample is = c.sample(in);
    if (is.batch > 0 || is.dims[0] != 1) return false;
    const bool first = from[1] == to[1];
    if (!first && from.back() != to.back()) return false;
    const Order order = first ? channels_last(rank) : natural_order(rank);
    Shape shape;
    std::vector<std::int64_t> factor, sizes;
    std::vector<std::size_t> space;
    bool whole = true;
    for (std::size_t i = 1; i < rank; ++i) {
        const std::size_t a = order[i];
        shape.push_back(from[a]);
        if (i + 1 == rank) continue;
        whole = whole && from[a] > 0 && to[a] % from[a] == 0;
        factor.push_back(whole ? to[a] / from[a] : 1);
        sizes.push_back(to[a]);
        space.push_back(a);
    }
    const std::size_t image = c.shown_as(c.arranged(in, order), shape);
    if (whole) return c.become("upsample", {{"factor", factor}}, {image}, order);
    const Attribute* said = c.node().find("mode");
    const std::string mode = !said || said->text == "nearest" ? "nearest" : said->text == "cubic" ? "cubic" : "linear";
    // A factor goes with whatever size the input has; sizes stay as they are.
    if (const auto f = factors_of(c, space, from, to))
        return c.become("resize", {{"factor", f->times}, {"divisor", f->by}, {"mode", mode}}, {image}, order);
    return c.become("resize", {{"output", sizes}, {"mode", mode}}, {image}, order);
}

constexpr ConversionRow window_rows[] = {
    {conv, "Conv"},
    {fused_conv, "FusedConv"},
    {deformed_conv, "DeformConv"},
    {quantized_conv, "QLinearConv ConvInteger"},
    {transposed_conv, "ConvTranspose"},
    {pooling, "MaxPool AveragePool LpPool QLinearAveragePool"},
    {global_pooling, "GlobalAveragePool QLinearGlobalAveragePool GlobalMaxPool GlobalLpPool"},
    {upsampling, "Upsample Resize"},
};

}  // namespace

std::span<const ConversionRow> window_conversions() { return window_rows; }

}  // namespace scalescope::formats::onnx
