// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions and pooling: windows that go over an image.
#include <algorithm>

#include "core/base/limits.hpp"
#include "core/formats/onnx/step.hpp"

namespace scalescope::formats::onnx {

std::optional<Windows> windows_of(Step& s, const Dims& dims, const Dims& kernel) {
    if (dims.size() < 2 || kernel.size() != dims.size() - 2) {
        s.wrong("its kernel has not the dimensions of its input");
        return std::nullopt;
    }
    const std::size_t n = kernel.size();
    const Dims ones(n, 1), none(n, 0);
    Windows w{kernel, s.integers("strides").value_or(ones), s.integers("dilations").value_or(ones), none, none, none};
    const Dims pads = s.integers("pads").value_or(Dims(2 * n, 0));
    const std::string automatic = s.text("auto_pad", "NOTSET");
    const bool up = s.integer("ceil_mode", 0) != 0;
    if (w.stride.size() != n || w.dilation.size() != n || pads.size() != 2 * n) {
        s.wrong("its strides, dilations or pads are not as many as its kernel's dimensions");
        return std::nullopt;
    }
    for (std::size_t i = 0; i < n; ++i) {
        constexpr auto most = limits::dimension;
        const auto fits = [](std::int64_t v, std::int64_t least) { return v >= least && v <= most; };
        if (!fits(w.kernel[i], 1) || !fits(w.stride[i], 1) || !fits(w.dilation[i], 1) || !fits(pads[i], -most) ||
            !fits(pads[i + n], -most)) {
            s.wrong("its kernel, strides, dilations or pads are out of range");
            return std::nullopt;
        }
        const std::int64_t in = dims[i + 2], reach = (w.kernel[i] - 1) * w.dilation[i] + 1;
        if (in < 0) {
            w.out[i] = open_dimension;
            continue;
        }
        if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
            w.out[i] = (in + w.stride[i] - 1) / w.stride[i];
            const std::int64_t all = std::max<std::int64_t>(0, (w.out[i] - 1) * w.stride[i] + reach - in);
            w.before[i] = automatic == "SAME_UPPER" ? all / 2 : all - all / 2;
            w.after[i] = all - w.before[i];
            continue;
        }
        if (automatic != "VALID") w.before[i] = pads[i], w.after[i] = pads[i + n];
        const std::int64_t room = in + w.before[i] + w.after[i] - reach;
        if (room < 0) {
            s.wrong("its kernel of " + std::to_string(reach) + " does not fit on " + std::to_string(in));
            return std::nullopt;
        }
        w.out[i] = room / w.stride[i] + 1;
        // A window that begins behind the input and its padding before it would see nothing.
        if (up && room % w.stride[i] != 0 && w.out[i] * w.stride[i] < in + w.before[i]) ++w.out[i];
    }
    return w;
}

namespace {

constexpr int int32_element = static_cast<int>(Element::int32);

void convolve(Step& s, const Value& in, const Value& filters, int element) {
    if (!in.ranked || !filters.ranked) return s.open(0, element);
    if (filters.dims.size() < 2 || filters.dims.size() != in.dims.size())
        return s.wrong("its filters have not the dimensions of its input");
    const Dims shape(filters.dims.begin() + 2, filters.dims.end());
    const auto w = windows_of(s, in.dims, s.integers("kernel_shape").value_or(shape));
    if (!w) return;
    const std::int64_t groups = s.integer("group", 1), c = in.dims[1], per_group = filters.dims[1];
    if (groups < 1 || groups > limits::dimension) return s.wrong("its groups are " + std::to_string(groups));
    if (c >= 0 && per_group >= 0 && per_group <= limits::dimension && per_group * groups != c)
        return s.wrong("its filters are for " + std::to_string(per_group * groups) + " channels, its input has " +
                       std::to_string(c));
    Dims out{in.dims[0], filters.dims[0]};
    out.insert(out.end(), w->out.begin(), w->out.end());
    s.set(0, tensor_value(element, std::move(out)));
}

void conv(Step& s) { convolve(s, s.in(0), s.in(1), s.in(0).element); }
void conv_integer(Step& s) { convolve(s, s.in(0), s.in(1), int32_element); }
void qlinear_conv(Step& s) { convolve(s, s.in(0), s.in(3), s.has(7) ? s.in(7).element : s.in(0).element); }

void conv_transpose(Step& s) {
    const Value &in = s.in(0), &filters = s.in(1);
    if (!in.ranked || !filters.ranked) return s.open(0, in.element);
    if (filters.dims.size() < 2 || filters.dims.size() != in.dims.size())
        return s.wrong("its filters have not the dimensions of its input");
    const std::size_t n = in.dims.size() - 2;
    const Dims kernel = s.integers("kernel_shape").value_or(Dims(filters.dims.begin() + 2, filters.dims.end())),
               stride = s.integers("strides").value_or(Dims(n, 1)),
               dilation = s.integers("dilations").value_or(Dims(n, 1)),
               pads = s.integers("pads").value_or(Dims(2 * n, 0)),
               extra = s.integers("output_padding").value_or(Dims(n, 0));
    const auto asked = s.integers("output_shape");
    const std::string automatic = s.text("auto_pad", "NOTSET");
    if (kernel.size() != n || stride.size() != n || dilation.size() != n || pads.size() != 2 * n || extra.size() != n ||
        (asked && asked->size() < n))
        return s.wrong("its strides, dilations or pads are not as many as its kernel's dimensions");
    std::int64_t channels = filters.dims[1];
    if (channels >= 0 && __builtin_mul_overflow(channels, s.integer("group", 1), &channels))
        return s.wrong("it is too large");
    Dims out{in.dims[0], channels};
    for (std::size_t i = 0; i < n; ++i) {
        std::int64_t d = in.dims[i + 2];
        for (const auto v : {kernel[i], stride[i], dilation[i]})
            if (v < 1 || v > limits::dimension) return s.wrong("its kernel, strides or dilations are out of range");
        if (asked)
            d = (*asked)[asked->size() - n + i];
        else if (d < 0 || d > limits::dimension)
            d = open_dimension;
        else if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER")
            d = d * stride[i];
        else {
            const bool padded = automatic != "VALID";
            for (const auto v : {pads[i], pads[i + n], extra[i]})
                if (v < -limits::dimension || v > limits::dimension) return s.wrong("its pads are out of range");
            d = (d - 1) * stride[i] + extra[i] + (kernel[i] - 1) * dilation[i] + 1 -
                (padded ? pads[i] + pads[i + n] : 0);
            if (d < 0) return s.wrong("its pads cut away the whole output");
        }
        out.push_back(d);
    }
    s.set(0, tensor_value(in.element, std::move(out)));
}

void pool(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked) return s.open(0, in.element);
    const auto kernel = s.integers("kernel_shape");
    if (!kernel) return s.wrong("it has no kernel_shape");
    const auto w = windows_of(s, in.dims, *kernel);
    if (!w) return;
    Dims out(in.dims.begin(), in.dims.begin() + 2);
    out.insert(out.end(), w->out.begin(), w->out.end());
    s.set(0, tensor_value(in.element, out));
    s.set(1, tensor_value(static_cast<int>(Element::int64), std::move(out)));
}

void global_pool(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked || in.dims.size() < 2) return s.open(0, in.element);
    Dims out(in.dims.size(), 1);
    out[0] = in.dims[0];
    out[1] = in.dims[1];
    s.set(0, tensor_value(in.element, std::move(out)));
}

void unpool(Step& s) {
    const Value& in = s.in(0);
    if (s.has(2)) {
        const auto asked = s.numbers(2);
        return s.set(0, asked ? tensor_value(in.element, *asked) : unranked(in.element));
    }
    const auto kernel = s.integers("kernel_shape");
    if (!in.ranked || !kernel || kernel->size() + 2 != in.dims.size()) return s.open(0, in.element);
    const std::size_t n = kernel->size();
    const Dims stride = s.integers("strides").value_or(Dims(n, 1)), pads = s.integers("pads").value_or(Dims(2 * n, 0));
    if (stride.size() != n || pads.size() != 2 * n) return s.wrong("its strides or pads are not as many");
    Dims out = in.dims;
    for (std::size_t i = 0; i < n; ++i) {
        std::int64_t& d = out[i + 2];
        if (d < 0 || d > limits::dimension || stride[i] < 0 || stride[i] > limits::dimension)
            d = open_dimension;
        else
            d = std::max<std::int64_t>(0, (d - 1) * stride[i] +
                                              std::clamp((*kernel)[i], std::int64_t{0}, limits::dimension) -
                                              std::clamp(pads[i], -limits::dimension, limits::dimension) -
                                              std::clamp(pads[i + n], -limits::dimension, limits::dimension));
    }
    s.set(0, tensor_value(in.element, std::move(out)));
}

/// Regions of an image, each as large as the last.
void roi(Step& s) {
    const Value &in = s.in(0), &boxes = s.in(1);
    const bool align = s.node().op == "RoiAlign";
    const auto pooled = s.integers("pooled_shape");
    const std::int64_t h = align                           ? s.integer("output_height", 1)
                           : pooled && pooled->size() == 2 ? (*pooled)[0]
                                                           : open_dimension,
                       w = align                           ? s.integer("output_width", 1)
                           : pooled && pooled->size() == 2 ? (*pooled)[1]
                                                           : open_dimension;
    const bool image = in.ranked && in.dims.size() == 4;
    s.set(0, tensor_value(in.element, {boxes.ranked && !boxes.dims.empty() ? boxes.dims[0] : open_dimension,
                                       image ? in.dims[1] : open_dimension, h, w}));
}

void grid_sample(Step& s) {
    const Value &in = s.in(0), &grid = s.in(1);
    if (!in.ranked || !grid.ranked || grid.dims.size() != in.dims.size() || in.dims.size() < 3)
        return s.open(0, in.element);
    Dims out(in.dims.begin(), in.dims.begin() + 2);
    out.insert(out.end(), grid.dims.begin() + 1, grid.dims.end() - 1);
    s.set(0, tensor_value(in.element, std::move(out)));
}

/// Short-time Fourier transform, by ONNX's formula for frames.
void stft(Step& s) {
    const Value& in = s.in(0);
    const auto step = s.numbers(1), given = s.numbers(3);
    const std::int64_t length = given && given->size() == 1                  ? (*given)[0]
                                : s.in(2).ranked && s.in(2).dims.size() == 1 ? s.in(2).dims[0]
                                                                             : open_dimension;
    Dims out{in.ranked && !in.dims.empty() ? in.dims[0] : open_dimension, open_dimension, open_dimension, 2};
    if (in.ranked && in.dims.size() > 1 && in.dims[1] >= length && length > 0 && step && step->size() == 1 &&
        (*step)[0] > 0) {
        out[1] = (in.dims[1] - length) / (*step)[0] + 1;
        out[2] = s.integer("onesided", 1) != 0 ? length / 2 + 1 : length;
    }
    s.set(0, tensor_value(in.element, std::move(out)));
}

void dft(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked || in.dims.size() < 2) return s.open(0, in.element);
    auto axis = axis_of(s.integer("axis", s.opset() < 20 ? 1 : -2), in.dims.size());
    if (const auto given = s.numbers(2); given && given->size() == 1) axis = axis_of((*given)[0], in.dims.size());
    if (!axis) return s.wrong("there is no such axis");
    Dims out = in.dims;
    if (s.has(1)) {
        const auto n = s.numbers(1);
        out[*axis] = n && n->size() == 1 ? (*n)[0] : open_dimension;
    }
    if (s.integer("onesided", 0) != 0 && out[*axis] >= 0) out[*axis] = out[*axis] / 2 + 1;
    out.back() = 2;
    s.set(0, tensor_value(in.element, std::move(out)));
}

/// Blocks of an image put back into it (opset 18).
void col2im(Step& s) {
    const Value& in = s.in(0);
    const auto image = s.numbers(1), block = s.numbers(2);
    if (!in.ranked || in.dims.size() != 3 || !image) return s.open(0, in.element);
    std::int64_t cells = 1;
    for (const auto b : block.value_or(Dims{}))
        if (b < 1 || __builtin_mul_overflow(cells, b, &cells)) return s.wrong("its blocks have no size");
    if (block && in.dims[1] >= 0 && in.dims[1] % cells != 0) return s.wrong("its channels are no blocks");
    Dims out{in.dims[0], block && in.dims[1] >= 0 ? in.dims[1] / cells : open_dimension};
    out.insert(out.end(), image->begin(), image->end());
    s.set(0, tensor_value(in.element, std::move(out)));
}

/// Where each cell of an image of `size` (batch, channels, space) comes from (opset 20).
void affine_grid(Step& s) {
    const auto size = s.numbers(1);
    if (!size || size->size() < 3) return s.open(0, s.in(0).element);
    Dims out{(*size)[0]};
    out.insert(out.end(), size->begin() + 2, size->end());
    out.push_back(static_cast<std::int64_t>(size->size()) - 2);
    s.set(0, tensor_value(s.in(0).element, std::move(out)));
}

void mel_matrix(Step& s) {
    const auto mels = s.numbers(0), length = s.numbers(1);
    const bool known = mels && length && mels->size() == 1 && length->size() == 1;
    s.set(0, tensor_value(static_cast<int>(s.integer("output_datatype", 1)),
                          known ? Dims{(*length)[0] / 2 + 1, (*mels)[0]} : Dims{open_dimension, open_dimension}));
}

constexpr RuleRow rules_of_windows[] = {
    {conv, "Conv FusedConv DeformConv"},
    {conv_integer, "ConvInteger"},
    {qlinear_conv, "QLinearConv"},
    {conv_transpose, "ConvTranspose"},
    {pool, "MaxPool AveragePool LpPool QLinearAveragePool"},
    {global_pool, "GlobalAveragePool GlobalMaxPool GlobalLpPool QLinearGlobalAveragePool"},
    {unpool, "MaxUnpool"},
    {roi, "RoiAlign MaxRoiPool"},
    {grid_sample, "GridSample"},
    {affine_grid, "AffineGrid"},
    {col2im, "Col2Im"},
    {stft, "STFT"},
    {dft, "DFT"},
    {mel_matrix, "MelWeightMatrix"},
};

}  // namespace

std::span<const RuleRow> window_rules() { return rules_of_windows; }

}  // namespace scalescope::formats::onnx
