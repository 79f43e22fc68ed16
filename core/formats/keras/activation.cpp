// SPDX-License-Identifier: GPL-3.0-or-later
// Activations, as a field of other layers and as layers of their own; and operations written as functions of tensors:
// layers of TensorFlow's in Keras 2, operations of their own in Keras 3.
#include <algorithm>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/formats/keras/use.hpp"
#include "core/formats/word_table.hpp"

namespace scalescope::formats {
namespace {

/// Keras's words and ours where they differ; the classes of activations write their name in capitals where one stands
/// in a field.
constexpr WordRow activation_words[] = {
    {"none", "linear"},         {"relu", "relu ReLU"},   {"softmax", "softmax Softmax"},
    {"elu", "elu ELU"},         {"silu", "swish silu"},  {"hard_swish", "hard_swish hard_silu"},
    {"exp", "exponential exp"}, {"abs", "abs absolute"}, {"leaky_relu", "leaky_relu LeakyReLU"},
};
constexpr std::string_view same_words =
    "relu6 sigmoid hard_sigmoid tanh hard_tanh log_softmax selu celu gelu mish softplus softsign erf log sqrt square "
    "sin "
    "cos";

std::optional<std::string_view> our_activation(std::string_view word) {
    return is_among(word, same_words) ? word : ours_for(word, activation_words);
}

/// A word, or an object: a function registered by name, or a layer of activation.
std::string_view activation_word(const std::optional<JsonValue>& value) {
    if (!value) return "linear";
    if (value->is_string()) return value->text();
    const auto type = value->find("class_name"), config = value->find("config");
    if (config && config->is_string()) return config->text();
    return type && type->is_string() ? type->text() : "activation of the author's own";
}

bool done_in_place(std::string_view ours) {
    return ours == "relu" || ours == "leaky_relu" || ours == "sigmoid" || ours == "tanh" || ours == "softmax";
}

KerasTensors keras_activation(KerasUse& use) {
    return only(apply_activation(use, use.inputs[0], activation_word(use.fields.find({"activation"})), {}));
}

/// A class that is one function, whose word it is.
KerasTensors keras_function(KerasUse& use) { return only(apply_activation(use, use.inputs[0], use.layer.type, {})); }

KerasTensors keras_relu(KerasUse& use) {
    const double top = use.fields.number({"max_value"}, 0, 0, 1e30),
                 slope = use.fields.number({"negative_slope"}, 0, -1e30, 1e30);
    const char* const word = slope != 0 ? "leaky_relu" : top == 6 ? "relu6" : "relu";
    return only(apply_activation(use, use.inputs[0], word, {}));
}

/// A slope for every element, or for those along the axes that share one.
KerasTensors keras_prelu(KerasUse& use) {
    const KerasTensor& in = use.inputs[0];
    const auto shared = use.fields.list({"shared_axes"}, 1, limits::rank);
    if (use.fields.failed()) return {};
    Checked slopes = 1;
    bool of_channels = true;
    const std::size_t channels = in.first ? 0 : in.dims.size() - 1;
    for (std::size_t a = 0; a < in.dims.size(); ++a) {
        const bool is_shared = std::ranges::find(shared, static_cast<std::int64_t>(a + 1)) != shared.end();
        if (!is_shared) slopes = slopes * in.dims[a];
        of_channels = of_channels && is_shared == (a != channels || in.dims[a] == 1);
    }
    const bool of_one = slopes.ok() && slopes.value() == 1;
    const std::string each = of_channels ? "channel" : shared.empty() ? "element" : "one";
    if (of_channels || shared.empty() || of_one)
        return only(use.add("activation", {{"function", "prelu"}, {"slopes", each}}, {in}));
    return only(use.unknown(in.dims, slopes.ok() ? slopes.value() : limits::elements));
}

/// The end of TensorFlow's name of the operation: "math.add", "__operators__.add", "nn.relu".
constexpr WordRow elementwise_operations[] = {
    {"add", "add Add AddV2"},
    {"subtract", "subtract Subtract Sub"},
    {"multiply", "multiply Multiply Mul"},
    {"divide", "truediv divide TrueDivide Divide RealDiv"},
    {"maximum", "maximum Maximum"},
    {"minimum", "minimum Minimum"},
    {"power", "pow Power"},
};
constexpr std::string_view activation_operations =
    "relu relu6 sigmoid tanh softmax elu selu gelu silu swish softplus softsign exp log sqrt abs square sin cos erf "
    "leaky_relu";

std::string lower(std::string_view word) {
    std::string text(word);
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

/// An operation by its name, or by its bytes.
KerasTensors operation(KerasUse& use, std::string_view name) {
    if (const auto dot = name.rfind('.'); dot != std::string_view::npos) name.remove_prefix(dot + 1);
    if (use.inputs.size() > 1)
        if (const auto ours = ours_for(name, elementwise_operations)) return merged(use, std::string(*ours));
    if (use.inputs.size() == 1) {
        const std::string word = lower(name);
        if (is_among(word, activation_operations)) return only(apply_activation(use, use.inputs[0], word, {}));
    }
    if (name == "concat" && use.inputs.size() > 1) {
        const auto axis = use.call && use.call->arguments ? use.call->arguments->find("axis") : std::nullopt;
        if (const auto n = axis ? whole_number(*axis) : std::nullopt; n && *n > -8 && *n < 8)
            return concatenated(use, *n);
    }
    return unknown_result(use);
}

KerasTensors keras_tensorflow_operation(KerasUse& use) {
    if (const auto node = use.fields.find({"node_def"}); node && node->is_object())
        if (const auto op = node->find("op")) return operation(use, op->text());
    return operation(use, use.fields.word({"function", "symbol"}, {}));
}

KerasTensors keras_operation(KerasUse& use) { return operation(use, use.layer.type); }

constexpr KerasType activation_types[] = {
    {"Activation", keras_activation, true},
    {"ReLU", keras_relu, true},
    {"LeakyReLU ELU Softmax", keras_function, true},
    {"PReLU", keras_prelu},
    {"TFOpLambda TensorFlowOpLayer SlicingOpLambda", keras_tensorflow_operation},
    {"Operation", keras_operation},
};

}  // namespace

std::optional<KerasTensor> apply_activation(KerasUse& use, const KerasTensor& tensor, std::string_view word,
                                            std::string_view part) {
    const auto ours = our_activation(word);
    if (ours == "none") return tensor;
    if (ours == "softmax" || ours == "log_softmax") return use.add(*ours, {}, {tensor}, part);
    if (word == "glu") return use.add("glu", {}, {tensor}, part);
    if (ours) return use.add("activation", {{"function", std::string(*ours)}}, {tensor}, part);
    return use.add("unknown", {{"type", std::string(word.substr(0, 60))}}, {tensor}, part);
}

std::string fused_activation_of(KerasUse& use) {
    const auto ours = our_activation(activation_word(use.fields.find({"activation"})));
    return ours && done_in_place(*ours) ? std::string(*ours) : "none";
}

std::optional<KerasTensor> activated(KerasUse& use, const KerasTensor& tensor) {
    if (fused_activation_of(use) != "none") return tensor;
    return apply_activation(use, tensor, activation_word(use.fields.find({"activation"})), "activation");
}

std::span<const KerasType> keras_activation_types() { return activation_types; }

}  // namespace scalescope::formats
