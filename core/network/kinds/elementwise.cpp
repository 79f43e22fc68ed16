// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that touch each element: priced by their bytes (docs/decisions/prices-of-layers.md).
#include <array>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

constexpr std::string_view activation_functions =
    "relu|leaky_relu|sigmoid|tanh|relu6|elu|celu|selu|hard_tanh|exp|sqrt|gelu|silu|mish|softplus|softsign|"
    "hard_sigmoid|hard_swish|erf|log|abs|square|sin|cos|prelu";
constexpr std::string_view undone_from_output = "|relu|leaky_relu|sigmoid|tanh|relu6|elu|celu|selu|hard_tanh|exp|sqrt|";
constexpr std::string_view fused_functions = "none|relu|leaky_relu|sigmoid|tanh|softmax";

const std::array<AttributeInfo, 1> activation_attributes{{
    {"function", AttributeType::choice, std::string("relu"), activation_functions, 0, "applied to every element"},
}};
const std::array<AttributeInfo, 1> fused_activation{{
    {"activation", AttributeType::choice, std::string("none"), fused_functions, 0,
     "applied in place, at no extra cost"},
}};
const std::array<AttributeInfo, 3> batch_norm_attributes{{
    {"scale", AttributeType::boolean, true, {}, 0, "a trained factor for each channel"},
    {"bias", AttributeType::boolean, true, {}, 0, "a trained shift of each channel"},
    {"activation", AttributeType::choice, std::string("none"), fused_functions, 0,
     "applied in place, at no extra cost"},
}};
const std::array<AttributeInfo, 1> dropout_attributes{{
    {"rate", AttributeType::number, 0.5, {}, 0, "share of elements dropped"},
}};

const std::array<AttributeInfo, 1> glu_attributes{{
    {"function", AttributeType::choice, std::string("sigmoid"), "sigmoid|silu|gelu|relu|none", 0,
     "of the half that gates the other; silu: SwiGLU"},
}};
const std::array<AttributeInfo, 1> elementwise_attributes{{
    {"operation", AttributeType::choice, std::string("multiply"),
     "add|subtract|multiply|divide|maximum|minimum|mean|power|where", 0, "of the inputs, element by element"},
}};

Result<LayerFacts> infer_activation(const Layer& layer, std::span<const Shape> inputs) {
    const std::string& function = get<std::string>(layer, "function");
    // backward reads the gradient and the kept output or input, writes the gradient
    const bool output = undone_from_output.find('|' + function + '|') != std::string_view::npos;
    auto f =
        bytes_only(inputs[0], inputs, Division::channelwise, {1, 1, 0}, output ? Traffic{1, 2, 0} : Traffic{2, 1, 0});
    if (!f) return f;
    f->keeps_output = output;
    f->keeps_input = !output;
    if (function == "prelu") f->weights = f->units;  // a slope for each channel, trained in the same pass
    return f;
}

Result<LayerFacts> infer_glu(const Layer&, std::span<const Shape> inputs) {
    Shape out = inputs[0];
    if (out.empty() || out.back() % 2 != 0)
        return wrong("A gated linear unit halves its channels: " + to_text(out) + " cannot be halved.",
                     "make the number of channels even");
    out.back() /= 2;
    auto f = bytes_only(std::move(out), inputs, Division::mixing, {1, 1, 0}, {2, 1, 0});
    if (f) f->keeps_input = true;
    return f;
}

Result<LayerFacts> infer_elementwise(const Layer& layer, std::span<const Shape> inputs) {
    Shape out = inputs[0];
    bool alike = true;
    for (const Shape& s : inputs) {
        auto both = broadcast(out, s);
        if (!both)
            return wrong("The inputs do not fit together: " + to_text(out) + " and " + to_text(s) + ".",
                         "make their dimensions equal, or 1");
        out = std::move(*both);
        alike = alike && s == inputs[0];
    }
    const std::string& operation = get<std::string>(layer, "operation");
    const bool linear = operation == "add" || operation == "subtract" || operation == "mean";
    // A sum passes the gradient on without a copy, unless an input was repeated: its gradient is a sum of its own.
    const Traffic backward = !linear ? Traffic{2, 1, 0} : alike ? Traffic{} : Traffic{1, 1, 0};
    auto f = bytes_only(std::move(out), inputs, alike ? Division::channelwise : Division::mixing, {1, 1, 0}, backward);
    if (f) f->keeps_input = !linear;
    return f;
}

Result<LayerFacts> infer_cross_entropy(const Layer&, std::span<const Shape> inputs) {
    // forward reads the logits; backward reads them again and writes their gradient; the loss is one number
    auto f = bytes_only({1}, inputs, Division::mixing, {1, 1, 0}, {2, 1, 0});
    if (f) f->keeps_input = true;
    return f;
}

Result<LayerFacts> infer_dropout(const Layer& layer, std::span<const Shape> inputs) {
    const double rate = get<double>(layer, "rate");
    if (!(rate >= 0.0 && rate < 1.0))
        return wrong("A dropout rate lies between 0 and 1.", "give the share of elements dropped, such as 0.5");
    auto f = bytes_only(inputs[0], inputs, Division::channelwise, {1, 1, 0}, {1, 1, 0});
    if (f) f->mask = 1;  // which were dropped
    return f;
}

Result<LayerFacts> infer_batch_norm(const Layer& layer, std::span<const Shape> inputs) {
    // training: two reads (statistics, then normalise) and one write; backward reads input and gradient twice, writes
    // once
    auto f = bytes_only(inputs[0], inputs, Division::channelwise, {2, 1, 0}, {3, 2, 0});
    if (!f) return f;
    // their gradients come out of the same backward pass
    f->weights = f->units * ((get<bool>(layer, "scale") ? 1 : 0) + (get<bool>(layer, "bias") ? 1 : 0));
    f->keeps_input = true;
    f->keeps_output = has_fused_activation(layer);
    return f;
}

Result<LayerFacts> infer_lrn(const Layer&, std::span<const Shape> inputs) {
    auto f = bytes_only(inputs[0], inputs, Division::mixing, {1, 1, 0}, {2, 2, 0});
    if (f) f->keeps_input = f->keeps_output = true;
    return f;
}

Result<LayerFacts> infer_softmax(const Layer&, std::span<const Shape> inputs) {
    auto f = bytes_only(inputs[0], inputs, Division::mixing, {1, 1, 0}, {1, 2, 0});
    if (f) f->keeps_output = true;
    return f;
}

Result<LayerFacts> infer_add(const Layer& layer, std::span<const Shape> inputs) {
    for (const auto& s : inputs)
        if (s != inputs[0])
            return wrong("The inputs of an addition differ: " + to_text(inputs[0]) + " and " + to_text(s) + ".",
                         "bring them to the same shape, for example with a 1×1 convolution");
    // every input's gradient is the output's, passed on without a copy
    auto f = bytes_only(inputs[0], inputs, Division::channelwise, {1, 1, 0}, {});
    if (f) f->keeps_output = has_fused_activation(layer);
    return f;
}

Result<LayerFacts> infer_concat(const Layer&, std::span<const Shape> inputs) {
    Shape out = inputs[0];
    if (out.empty()) return wrong("A scalar cannot be concatenated.", "connect layers with channels");
    Checked channels = 0;
    for (const auto& s : inputs) {
        bool same = s.size() == out.size();
        for (std::size_t i = 0; same && i + 1 < s.size(); ++i) same = s[i] == out[i];
        if (!same)
            return wrong("The inputs of a concatenation differ outside their channels: " + to_text(out) + " and " +
                             to_text(s) + ".",
                         "give all of them the same height and width");
        channels = channels + s.back();
    }
    if (!channels.ok()) return wrong("The channels are too many to count.", "check the sizes for a typing error");
    out.back() = channels.value();
    return bytes_only(std::move(out), inputs, Division::channelwise, {1, 1, 0}, {1, 1, 0});
}

}  // namespace

const Kind activation{"activation", "Activation", activation_attributes, 1, 1, infer_activation};
const Kind dropout{"dropout", "Dropout", dropout_attributes, 1, 1, infer_dropout};
const Kind batch_norm{"batch_norm", "Batch normalization", batch_norm_attributes, 1, 1, infer_batch_norm};
const Kind lrn{"lrn", "Local response normalization", {}, 1, 1, infer_lrn};
const Kind softmax{"softmax", "Softmax", {}, 1, 1, infer_softmax};
const Kind add{"add", "Sum", fused_activation, 2, -1, infer_add};
const Kind glu{"glu", "Gated linear unit", glu_attributes, 1, 1, infer_glu};
const Kind elementwise{"elementwise", "Elementwise", elementwise_attributes, 2, -1, infer_elementwise};
const Kind cross_entropy{"cross_entropy", "Cross-entropy", {}, 1, 2, infer_cross_entropy};
const Kind concat{"concat", "Concatenation", {}, 2, -1, infer_concat};

}  // namespace scalescope::kinds
