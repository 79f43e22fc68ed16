// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/caffe/converter.hpp"

#include <algorithm>
#include <span>

#include "core/base/name_list.hpp"

namespace scalescope::formats {
namespace {

/// NumPy's rule for one of two tensors: from the last axis on, each axis is alike or 1.
bool fits_by_repeating(const Shape& small, const Shape& large) {
    if (small.size() > large.size()) return false;
    for (std::size_t i = 1; i <= small.size(); ++i)
        if (small[small.size() - i] != large[large.size() - i] && small[small.size() - i] != 1) return false;
    return true;
}

/// A word of an attribute, and the types of layers that it is for.
struct TypeWord {
    std::string_view word, types;
};

std::string word_for(std::string_view type, std::span<const TypeWord> words) {
    const auto row =
        std::find_if(words.begin(), words.end(), [&](const TypeWord& w) { return is_among(type, w.types); });
    return std::string(row->word);
}

}  // namespace

void CaffeConverter::batch_norm(const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    const bool learns = l.type == "BN" || learns_behind(l);
    become(l, "batch_norm", {{"scale", learns}, {"bias", learns}}, in1(in));
}

bool CaffeConverter::learns_behind(const CaffeLayer& l) {
    if (l.tops.empty()) return false;
    const std::string& top = l.tops[0];
    const CaffeLayer* scale = nullptr;
    for (std::size_t i = now_ + 1; i < net_.layers.size() && i < now_ + 64; ++i) {
        const CaffeLayer& reader = net_.layers[i];
        if (std::find(reader.bottoms.begin(), reader.bottoms.end(), top) != reader.bottoms.end()) {
            if (scale || reader.type != "Scale" || reader.bottoms.size() != 1) return false;
            const auto block = reader.field.find("scale_param");
            const auto bias = block ? block->find("bias_term") : std::nullopt;
            if (!bias || bias->boolean() != true || block->find("axis") || block->find("num_axes")) return false;
            scale = &reader;
        }
        // From here on the name stands for another tensor.
        if (std::find(reader.tops.begin(), reader.tops.end(), top) != reader.tops.end()) break;
    }
    if (scale) scaled_.insert(scale);
    return scale != nullptr;
}

void CaffeConverter::scale(const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    if (scaled_.count(&l) > 0) return pass_on(l, *in[0]);  // part of the normalization before it
    const bool only_bias = l.type == "Bias";
    auto f = fields_of(l, only_bias ? "bias_param" : "scale_param");
    const std::size_t errors = problems_.errors();
    const bool bias = f.boolean("bias_term", false);
    if (in.size() > 1) return by_tensor(l, in, dims, only_bias ? "add" : "multiply");
    if (!over_channels(l, f, dims.size())) return;
    if (const auto axes = f.integer("num_axes", -1, limits::rank).value_or(1); axes != 1)
        f.error("num_axes", "The layer scales " + std::to_string(axes) + " axes.",
                "This program knows a scale for each channel, num_axes: 1.");
    if (problems_.errors() > errors) return put_broken(l);
    become(l, "scale", {{"scale", !only_bias}, {"bias", bias || only_bias}}, in);
}

void CaffeConverter::lrn(const CaffeLayer& l, const Blobs& in, const CaffeDims&) { become(l, "lrn", {}, in1(in)); }

void CaffeConverter::softmax(const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    become(l, "softmax", {}, in1(in));
}

void CaffeConverter::dropout(const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    auto f = fields_of(l, "dropout_param");
    become(l, "dropout", {{"rate", f.number("dropout_ratio").value_or(0.5)}}, in1(in));
}

void CaffeConverter::relu(const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    auto f = fields_of(l, "relu_param");
    const bool leaky = f.number("negative_slope").value_or(0) != 0;
    become(l, "activation", {{"function", std::string(leaky ? "leaky_relu" : "relu")}}, in1(in));
}

void CaffeConverter::prelu(const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    auto f = fields_of(l, "prelu_param");
    const bool one = f.boolean("channel_shared", false);
    become(l, "activation", {{"function", std::string("prelu")}, {"slopes", std::string(one ? "one" : "channel")}},
           in1(in));
}

/// Length 1 over the channels at each position, then a factor for each channel (SSD). One for all of them, or a length
/// over the whole image, has no kind here.
void CaffeConverter::normalize(const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = fields_of(l, "norm_param");
    if (f.boolean("across_spatial", true) || f.boolean("channel_shared", true)) return become_unknown(l, dims, in1(in));
    const auto length =
        add(build_.unique_name(l.name + "/length", l.type), l.field.name_at(), "l2_normalize", {}, in1(in));
    if (!length) return put_broken(l);
    Blob normalized = *in[0];
    normalized.layer = *length;
    become(l, "scale", {{"scale", true}, {"bias", false}}, {&normalized});
}

/// Mean and variance of each channel of a sample, or of the whole sample; nothing is learned.
void CaffeConverter::mean_and_variance(const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    auto f = fields_of(l, "mvn_param");
    if (f.boolean("across_channels", false))
        return become(l, "group_norm", {{"groups", std::int64_t{1}}, {"scale", false}, {"bias", false}}, in1(in));
    become(l, "instance_norm", {{"scale", false}, {"bias", false}}, in1(in));
}

std::optional<CaffeConverter::Blob> CaffeConverter::number_beside(const CaffeLayer& l) {
    const auto position = add(build_.unique_name(l.name + "/number", l.type), l.field.name_at(), "constant",
                              {{"shape", shape_value({1})}}, {});
    if (!position) return std::nullopt;
    Blob number;
    number.layer = *position;
    number.dims = {1};
    return number;
}

/// (shift + scale·x) to a power: the sum and the product are one layer, the power another.
void CaffeConverter::power(const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    auto f = fields_of(l, "power_param");
    const double power = f.number("power").value_or(1);
    const bool linear = f.number("scale").value_or(1) != 1 || f.number("shift").value_or(0) != 0;
    const auto function = [](const char* word) { return Givens{{"function", std::string(word)}}; };
    if (power == 1) return linear ? become(l, "activation", function("linear"), in1(in)) : pass_on(l, *in[0]);
    Blob from = *in[0];
    if (linear) {
        const auto position = add(build_.unique_name(l.name + "/linear", l.type), l.field.name_at(), "activation",
                                  function("linear"), in1(in));
        if (!position) return put_broken(l);
        from.layer = *position;
    }
    if (power == 2 || power == 0.5) return become(l, "activation", function(power == 2 ? "square" : "sqrt"), {&from});
    const auto number = number_beside(l);
    if (!number) return put_broken(l);
    become(l, "elementwise", {{"operation", std::string("power")}}, {&from, &*number});
}

/// 1 where an element is above a number, 0 elsewhere.
void CaffeConverter::threshold(const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    const auto number = number_beside(l);
    if (!number) return put_broken(l);
    become(l, "elementwise", {{"operation", std::string("where")}}, {in[0], &*number});
}

/// By another tensor, repeated where it has no axes of its own.
void CaffeConverter::by_tensor(const CaffeLayer& l, const Blobs& in, const CaffeDims& dims, const char* operation) {
    for (const Blob* b : in)
        if (!fits_by_repeating(ours_of(b->dims), ours_of(dims))) return become_unknown(l, dims, in);
    become(l, "elementwise", {{"operation", std::string(operation)}}, in);
}

void CaffeConverter::function(const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    constexpr TypeWord words[] = {{"sigmoid", "Sigmoid SigmoidCrossEntropyLoss"},
                                  {"tanh", "TanH"},
                                  {"elu", "ELU"},
                                  {"relu6", "ReLU6"},
                                  {"silu", "Swish"},
                                  {"abs", "AbsVal"},
                                  {"softplus", "BNLL"},
                                  {"exp", "Exp"},
                                  {"log", "Log"},
                                  {"hard_tanh", "Clip"}};
    become(l, "activation", {{"function", word_for(l.type, words)}}, in1(in));
}

/// What has a word for how predictions and targets are compared.
void CaffeConverter::loss(const CaffeLayer& l, const Blobs& in, const CaffeDims&) {
    constexpr TypeWord words[] = {{"mse", "EuclideanLoss"},
                                  {"contrastive", "ContrastiveLoss"},
                                  {"hinge", "HingeLoss"},
                                  {"huber", "SmoothL1Loss"},
                                  {"nll", "MultinomialLogisticLoss InfogainLoss"},
                                  {"other", "MultiBoxLoss"}};  // distances of boxes and the classes of the hardest
    become(l, "loss", {{"function", word_for(l.type, words)}}, in);
}

void CaffeConverter::eltwise(const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = fields_of(l, "eltwise_param");
    const auto operation = f.word("operation");
    if (in.size() < 2) return pass_on(l, *in[0]);
    if (operation.empty() || operation == "SUM" || operation == "1") return become(l, "add", {}, in);
    for (const Blob* b : in)
        if (b->dims != dims)
            return error_at(l,
                            "The inputs differ: " + to_text(ours_of(dims)) + " and " + to_text(ours_of(b->dims)) + ".",
                            "Bring them to the same shape.");
    const bool product = operation == "PROD" || operation == "0";
    become(l, "elementwise", {{"operation", std::string(product ? "multiply" : "maximum")}}, in);
}

}  // namespace scalescope::formats
