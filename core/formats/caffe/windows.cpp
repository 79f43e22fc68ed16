// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/caffe/converter.hpp"

namespace scalescope::formats {
namespace {

using Blobs = CaffeConverter::Blobs;
using Givens = CaffeConverter::Givens;

Padding padding_of(const std::array<std::int64_t, 2>& before, const std::array<std::int64_t, 2>& after) {
    if (before == after && before[0] == 0 && before[1] == 0) return {};
    return {Padding::Mode::explicit_sizes, before[0], after[0], before[1], after[1]};
}

std::optional<std::int64_t> outputs_of(CaffeConverter& c, CaffeFields& fields) {
    const auto n = fields.integer("num_output", 1, limits::dimension);
    if (!n && !c.failed())
        fields.error({}, "The layer does not say how many outputs it has.", "Write num_output: 64, or as many.");
    return n;
}

std::optional<Givens> filter_of(CaffeConverter& c, const CaffeLayer& l, CaffeFields& f, const CaffeDims& dims,
                                const char* usual) {
    f.expect_only({"num_output", "bias_term", "pad", "kernel_size", "stride", "dilation", "pad_h", "pad_w", "kernel_h",
                   "kernel_w", "stride_h", "stride_w", "group", "weight_filler", "bias_filler", "engine", "axis",
                   "force_nd_im2col"});
    if (!c.over_channels(f, dims.size())) return std::nullopt;
    const auto filters = outputs_of(c, f);
    if (!filters) return std::nullopt;
    const auto kernel = f.sizes("kernel_size", "kernel_h", "kernel_w", 1);
    if (!kernel && !c.failed())
        f.error({}, "The layer does not say how large its kernel is.",
                "Write kernel_size: " + std::string(usual) + ", or what it is.");
    const auto stride = f.sizes("stride", "stride_h", "stride_w", 1).value_or(std::array<std::int64_t, 2>{1, 1});
    const auto pad = f.sizes("pad", "pad_h", "pad_w", 0).value_or(std::array<std::int64_t, 2>{0, 0});
    const auto gap = f.sizes("dilation", {}, {}, 1).value_or(std::array<std::int64_t, 2>{1, 1});
    std::int64_t groups = f.integer("group", 1, limits::dimension).value_or(1);
    const bool depthwise = l.type == "ConvolutionDepthwise" || l.type == "DepthwiseConvolution";
    if (depthwise && groups == 1 && !dims.empty()) groups = dims[0];
    const bool bias = f.boolean("bias_term", true);
    if (c.failed()) return std::nullopt;
    return Givens{{"filters", *filters},
                  {"kernel", Shape{(*kernel)[0], (*kernel)[1]}},
                  {"stride", Shape{stride[0], stride[1]}},
                  {"padding", padding_of(pad, pad)},
                  {"dilation", Shape{gap[0], gap[1]}},
                  {"groups", groups},
                  {"bias", bias}};
}

void convolution(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = c.fields_of(l, "convolution_param");
    const bool back = l.type == "Deconvolution";
    if (const auto given = filter_of(c, l, f, dims, back ? "4" : "3"))
        c.become(l, back ? "transposed_convolution" : "convolution", *given, in1(in));
}

void pooling(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = c.fields_of(l, "pooling_param");
    f.expect_only({"pool", "pad", "pad_h", "pad_w", "kernel_size", "kernel_h", "kernel_w", "stride", "stride_h",
                   "stride_w", "engine", "global_pooling", "round_mode", "ceil_mode"});
    const auto mode = f.word("pool");
    const bool average = mode == "AVE" || mode == "1";
    if (!mode.empty() && !average && mode != "MAX" && mode != "0" && mode != "STOCHASTIC" && mode != "2")
        f.error("pool", "There is no pooling of the kind " + quoted(mode) + ".", "Write pool: MAX or pool: AVE.");
    if (dims.size() != 3)
        f.error({}, "A pooling needs height and width, its input is " + to_text(ours_of(dims)) + ".",
                "Connect it to a layer that still has height and width.");
    const bool global = f.boolean("global_pooling", false);
    auto kernel = f.sizes("kernel_size", "kernel_h", "kernel_w", 1);
    if (!kernel && !global && !c.failed())
        f.error({}, "The layer does not say how large its window is.",
                "Write kernel_size: 2, or global_pooling: true.");
    auto stride = f.sizes("stride", "stride_h", "stride_w", 1).value_or(std::array<std::int64_t, 2>{1, 1});
    auto pad = f.sizes("pad", "pad_h", "pad_w", 0).value_or(std::array<std::int64_t, 2>{0, 0});
    const bool floor = f.word("round_mode") == "FLOOR" || f.word("round_mode") == "1" || !f.boolean("ceil_mode", true);
    if (c.failed()) return;
    if (global) {
        kernel = std::array{dims[1], dims[2]};
        stride = {1, 1}, pad = {0, 0};
    }
    // Caffe lets a window hang over the far edge, where this program's rule for rounding up would leave it out;
    // the padding there then says so.
    std::array<std::int64_t, 2> after = pad;
    bool up = false;
    for (std::size_t a = 0; a < 2; ++a) {
        const std::int64_t room = dims[a + 1] + 2 * pad[a] - (*kernel)[a];
        const std::int64_t over = room % stride[a];
        if (floor || over == 0) continue;
        if (room < 0) {
            if (room > -stride[a]) after[a] -= room;  // one window, larger than all there is
            continue;
        }
        std::int64_t out = room / stride[a] + 2;
        if (pad[a] > 0 && (out - 1) * stride[a] >= dims[a + 1] + pad[a]) --out;
        const bool hangs = out == room / stride[a] + 2;
        if (hangs && (out - 1) * stride[a] >= dims[a + 1] + pad[a]) after[a] += stride[a] - over;
        up = up || hangs;
    }
    c.become(l, "pooling",
             {{"mode", average ? "average" : "max"},
              {"kernel", Shape{(*kernel)[0], (*kernel)[1]}},
              {"stride", Shape{stride[0], stride[1]}},
              {"padding", padding_of(pad, after)},
              {"ceil", up}},
             in1(in));
}

void inner_product(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = c.fields_of(l, "inner_product_param");
    f.expect_only({"num_output", "bias_term", "weight_filler", "bias_filler", "axis", "transpose"});
    if (!c.over_channels(f, dims.size())) return;
    const auto units = outputs_of(c, f);
    if (!units) return;
    const bool bias = f.boolean("bias_term", true);
    if (c.failed()) return;
    c.become(l, "dense", {{"units", *units}, {"bias", bias}}, in1(in));
}

constexpr CaffeType window_types[] = {
    {"Convolution ConvolutionDepthwise DepthwiseConvolution Deconvolution", convolution},
    {"Pooling", pooling},
    {"InnerProduct", inner_product},
};

}  // namespace

std::span<const CaffeType> caffe_window_types() { return window_types; }

}  // namespace scalescope::formats
