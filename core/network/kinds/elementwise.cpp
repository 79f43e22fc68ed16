// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that touch each element: priced by their bytes (docs/decisions/prices-of-layers.md).
#include <array>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

constexpr std::string_view activation_functions =
    "relu|leaky_relu|sigmoid|tanh|relu6|elu|celu|selu|hard_tanh|exp|sqrt|gelu|silu|mish|softplus|softsign|"
    "hard_sigmoid|hard_swish|erf|log|abs|square|sin|cos|prelu|linear";
constexpr std::string_view undone_from_output = "|relu|leaky_relu|sigmoid|tanh|relu6|elu|celu|selu|hard_tanh|exp|sqrt|";

const std::array<AttributeInfo, 2> activation_attributes{{
    {"function", AttributeType::choice, std::string("relu"), activation_functions, 0, "applied to every element"},
    {"slopes", AttributeType::choice, std::string("channel"), "channel|element|one", 0,
     "of a prelu: one for each channel, for each element of a sample, or one in all"},
}};
const std::array<AttributeInfo, 1> add_attributes{{fused_activation}};
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
    const bool linear = function == "linear";  // times and plus a constant: the gradient needs neither
    auto f = bytes_only(inputs[0], inputs, Division::channelwise, {1, 1, 0},
                        linear   ? Traffic{1, 1, 0}
                        : output ? Traffic{1, 2, 0}
                                 : Traffic{2, 1, 0});
    if (!f) return f;
    f->keeps_output = output;
    f->keeps_input = !output && !linear;
    if (function == "prelu") {  // slopes are trained in the same pass
        const std::string& slopes = get<std::string>(layer, "slopes");
        f->weights = slopes == "channel" ? f->units : slopes == "element" ? f->out_elements : 1;
        // slopes that are not dealt out with the channels stay together
        if (slopes == "one") f->division = Division::mixing;
        return act_at_positions(std::move(f));
    }
    return act_on_vectors(std::move(f));
}

Result<LayerFacts> infer_glu(const Layer&, std::span<const Shape> inputs) {
    Shape out = inputs[0];
    if (out.empty() || out.back() % 2 != 0)
        return wrong("A gated linear unit halves its channels: " + to_text(out) + " cannot be halved.",
                     "make the number of channels even");
    out.back() /= 2;
    auto f = bytes_only(std::move(out), inputs, Division::mixing, {1, 1, 0}, {2, 1, 0});
    if (!f) return f;
    f->keeps_input = true;
    f->along(ShardAlong::channels) = f->units;  // both halves are dealt out alike
    f->keeps_more = KeepsMore::gate;
    return act_on_vectors(std::move(f));
}

Result<LayerFacts> infer_elementwise(const Layer& layer, std::span<const Shape> inputs) {
    Shape out = inputs[0];
    bool alike = true, same_positions = true, same_vectors = true;  // up to their last axis
    for (const Shape& s : inputs) {
        auto both = broadcast(out, s);
        if (!both)
            return wrong("The inputs do not fit together: " + to_text(out) + " and " + to_text(s) + ".",
                         "make their dimensions equal, or 1");
        out = std::move(*both);
        alike = alike && s == inputs[0];
        same_positions = same_positions && s.size() == inputs[0].size() && !s.empty() && s.front() == inputs[0].front();
        same_vectors = same_positions && same_vectors && std::equal(s.begin(), s.end() - 1, inputs[0].begin());
    }
    const std::string& operation = get<std::string>(layer, "operation");
    const bool linear = operation == "add" || operation == "subtract" || operation == "mean";
    // A sum passes the gradient on without a copy, unless an input was repeated: its gradient is a sum of its own.
    const Traffic backward = !linear ? Traffic{2, 1, 0} : alike ? Traffic{} : Traffic{1, 1, 0};
    auto f = bytes_only(std::move(out), inputs, alike ? Division::channelwise : Division::mixing, {1, 1, 0}, backward);
    if (f) f->keeps_input = !linear, f->sums = linear;
    return same_vectors ? act_on_vectors(std::move(f)) : same_positions ? act_at_positions(std::move(f)) : f;
}

Result<LayerFacts> infer_dropout(const Layer& layer, std::span<const Shape> inputs) {
    const double rate = get<double>(layer, "rate");
    if (!(rate >= 0.0 && rate < 1.0))
        return wrong("A dropout rate lies between 0 and 1.", "give the share of elements dropped, such as 0.5");
    auto f = bytes_only(inputs[0], inputs, Division::channelwise, {1, 1, 0}, {1, 1, 0});
    if (f) f->mask = 1;  // which were dropped
    return act_on_vectors(std::move(f));
}

Result<LayerFacts> infer_add(const Layer& layer, std::span<const Shape> inputs) {
    for (const auto& s : inputs)
        if (s != inputs[0])
            return wrong("The inputs of an addition differ: " + to_text(inputs[0]) + " and " + to_text(s) + ".",
                         "bring them to the same shape, for example with a 1×1 convolution");
    // every input's gradient is the output's, passed on without a copy
    auto f = bytes_only(inputs[0], inputs, Division::channelwise, {1, 1, 0}, {});
    if (f) f->keeps_output = has_fused_activation(layer), f->sums = !f->keeps_output;
    return act_on_vectors(std::move(f));
}

}  // namespace

const Kind activation{"activation", "Activation", activation_attributes, 1, 1, infer_activation};
const Kind dropout{"dropout", "Dropout", dropout_attributes, 1, 1, infer_dropout};
const Kind add{"add", "Sum", add_attributes, 2, -1, infer_add};
const Kind glu{"glu", "Gated linear unit", glu_attributes, 1, 1, infer_glu};
const Kind elementwise{"elementwise", "Elementwise", elementwise_attributes, 2, -1, infer_elementwise};

}  // namespace scalescope::kinds
