// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/caffe/converter.hpp"

#include <span>

#include "core/formats/word_table.hpp"

namespace scalescope::formats {
namespace {

using Blob = CaffeBlob;
using Blobs = CaffeConverter::Blobs;
using Givens = CaffeConverter::Givens;

/// NumPy's rule for one of two tensors: from the last axis on, each axis is alike or 1.
bool fits_by_repeating(const Shape& small, const Shape& large) {
    if (small.size() > large.size()) return false;
    for (std::size_t i = 1; i <= small.size(); ++i)
        if (small[small.size() - i] != large[large.size() - i] && small[small.size() - i] != 1) return false;
    return true;
}

std::string word_for(std::string_view type, std::span<const WordRow> words) {
    return std::string(ours_for(type, words).value_or(""));
}

void batch_norm(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    const bool learns = l.type == "BN" || c.learns_behind(l);
    c.become(l, "batch_norm", {{"scale", learns}, {"bias", learns}}, in1(in));
}

/// By another tensor, repeated where it has no axes of its own.
void by_tensor(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims& dims, const char* operation) {
    for (const Blob* b : in)
        if (!fits_by_repeating(ours_of(b->dims), ours_of(dims))) return c.become_unknown(l, dims, in);
    c.become(l, "elementwise", {{"operation", std::string(operation)}}, in);
}

void scale(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    if (c.is_scaled(l)) return c.pass_on(l, *in[0]);  // part of the normalization before it
    const bool only_bias = l.type == "Bias";
    auto f = c.fields_of(l, only_bias ? "bias_param" : "scale_param");
    const bool bias = f.boolean("bias_term", false);
    if (in.size() > 1) return by_tensor(c, l, in, dims, only_bias ? "add" : "multiply");
    if (!c.over_channels(f, dims.size())) return;
    if (const auto axes = f.integer("num_axes", -1, limits::rank).value_or(1); axes != 1)
        f.error("num_axes", "The layer scales " + std::to_string(axes) + " axes.",
                "This program knows a scale for each channel, num_axes: 1.");
    if (c.failed()) return;
    c.become(l, "scale", {{"scale", !only_bias}, {"bias", bias || only_bias}}, in);
}

void plain(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    c.become(l, l.type == "LRN" ? "lrn" : "softmax", {}, in1(in));
}

void dropout(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    auto f = c.fields_of(l, "dropout_param");
    c.become(l, "dropout", {{"rate", f.number("dropout_ratio").value_or(0.5)}}, in1(in));
}

void relu(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    auto f = c.fields_of(l, "relu_param");
    const bool leaky = f.number("negative_slope").value_or(0) != 0;
    c.become(l, "activation", {{"function", leaky ? "leaky_relu" : "relu"}}, in1(in));
}

void prelu(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    auto f = c.fields_of(l, "prelu_param");
    const bool one = f.boolean("channel_shared", false);
    c.become(l, "activation", {{"function", "prelu"}, {"slopes", one ? "one" : "channel"}}, in1(in));
}

/// Length 1 over the channels at each position, then a factor for each channel (SSD). One for all of them, or a length
/// over the whole image, has no kind here.
void normalize(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = c.fields_of(l, "norm_param");
    if (f.boolean("across_spatial", true) || f.boolean("channel_shared", true))
        return c.become_unknown(l, dims, in1(in));
    const auto length = c.add_beside(l, "/length", "l2_normalize", {}, in1(in));
    if (!length) return;
    Blob normalized = *in[0];
    normalized.layer = *length;
    c.become(l, "scale", {{"scale", true}, {"bias", false}}, {&normalized});
}

/// Mean and variance of each channel of a sample, or of the whole sample; nothing is learned.
void mean_and_variance(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    auto f = c.fields_of(l, "mvn_param");
    if (f.boolean("across_channels", false))
        return c.become(l, "group_norm", {{"groups", 1}, {"scale", false}, {"bias", false}}, in1(in));
    c.become(l, "instance_norm", {{"scale", false}, {"bias", false}}, in1(in));
}

std::optional<Blob> number_beside(CaffeConverter& c, const CaffeLayer& l) {
    const auto position = c.add_beside(l, "/number", "constant", {{"shape", CaffeConverter::shape_value({1})}}, {});
    if (!position) return std::nullopt;
    Blob number;
    number.layer = *position;
    number.dims = {1};
    return number;
}

/// (shift + scale·x) to a power: the sum and the product are one layer, the power another.
void power(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    auto f = c.fields_of(l, "power_param");
    const double power = f.number("power").value_or(1);
    const bool linear = f.number("scale").value_or(1) != 1 || f.number("shift").value_or(0) != 0;
    const auto function = [](const char* word) { return Givens{{"function", std::string(word)}}; };
    if (power == 1) return linear ? c.become(l, "activation", function("linear"), in1(in)) : c.pass_on(l, *in[0]);
    Blob from = *in[0];
    if (linear) {
        const auto position = c.add_beside(l, "/linear", "activation", function("linear"), in1(in));
        if (!position) return;
        from.layer = *position;
    }
    if (power == 2 || power == 0.5) return c.become(l, "activation", function(power == 2 ? "square" : "sqrt"), {&from});
    const auto number = number_beside(c, l);
    if (!number) return;
    c.become(l, "elementwise", {{"operation", "power"}}, {&from, &*number});
}

/// 1 where an element is above a number, 0 elsewhere.
void threshold(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    const auto number = number_beside(c, l);
    if (!number) return;
    c.become(l, "elementwise", {{"operation", "where"}}, {in[0], &*number});
}

void function(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    constexpr WordRow words[] = {{"sigmoid", "Sigmoid SigmoidCrossEntropyLoss"},
                                 {"tanh", "TanH"},
                                 {"elu", "ELU"},
                                 {"relu6", "ReLU6"},
                                 {"silu", "Swish"},
                                 {"abs", "AbsVal"},
                                 {"softplus", "BNLL"},
                                 {"exp", "Exp"},
                                 {"log", "Log"},
                                 {"hard_tanh", "Clip"}};
    c.become(l, "activation", {{"function", word_for(l.type, words)}}, in1(in));
}

/// What has a word for how predictions and targets are compared.
void loss(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    constexpr WordRow words[] = {{"mse", "EuclideanLoss"},
                                 {"contrastive", "ContrastiveLoss"},
                                 {"hinge", "HingeLoss"},
                                 {"huber", "SmoothL1Loss"},
                                 {"nll", "MultinomialLogisticLoss InfogainLoss"},
                                 {"other", "MultiBoxLoss"}};  // distances of boxes and the classes of the hardest
    c.become(l, "loss", {{"function", word_for(l.type, words)}}, in);
}

void eltwise(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = c.fields_of(l, "eltwise_param");
    const auto operation = f.word("operation");
    if (in.size() < 2) return c.pass_on(l, *in[0]);
    if (operation.empty() || operation == "SUM" || operation == "1") return c.become(l, "add", {}, in);
    for (const Blob* b : in)
        if (b->dims != dims)
            return c.error(l,
                           "The inputs differ: " + to_text(ours_of(dims)) + " and " + to_text(ours_of(b->dims)) + ".",
                           "Bring them to the same shape.");
    const bool product = operation == "PROD" || operation == "0";
    c.become(l, "elementwise", {{"operation", product ? "multiply" : "maximum"}}, in);
}

constexpr CaffeType element_types[] = {
    {"BatchNorm BN", batch_norm},
    {"Scale Bias", scale},
    {"LRN Softmax SoftmaxWithLoss", plain},
    {"Dropout", dropout},
    {"ReLU", relu},
    {"PReLU", prelu},
    {"Normalize", normalize},
    {"MVN", mean_and_variance},
    {"Power", power},
    {"Threshold", threshold},
    {"Sigmoid TanH ELU ReLU6 Swish SigmoidCrossEntropyLoss AbsVal BNLL Exp Log Clip", function},
    {"EuclideanLoss ContrastiveLoss HingeLoss SmoothL1Loss MultinomialLogisticLoss InfogainLoss MultiBoxLoss", loss},
    {"Eltwise", eltwise},
};

}  // namespace

std::span<const CaffeType> caffe_element_types() { return element_types; }

}  // namespace scalescope::formats
