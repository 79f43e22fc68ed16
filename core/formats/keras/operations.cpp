// SPDX-License-Identifier: GPL-3.0-or-later
// Operations written as functions of tensors: layers of TensorFlow's in Keras 2, operations of their own in Keras 3.
#include <utility>

#include "core/formats/keras/activation.hpp"
#include "core/formats/keras/merge.hpp"
#include "core/formats/word_table.hpp"

namespace scalescope::formats {
namespace {

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

constexpr KerasType operation_types[] = {
    {"TFOpLambda TensorFlowOpLayer SlicingOpLambda", keras_tensorflow_operation},
    {"Operation", keras_operation},
};

}  // namespace

std::span<const KerasType> keras_operation_types() { return operation_types; }

}  // namespace scalescope::formats
