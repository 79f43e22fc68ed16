// SPDX-License-Identifier: GPL-3.0-or-later
// Activations, as a field of other layers and as layers of their own.
#include "core/formats/keras/activation.hpp"

#include <algorithm>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/formats/word_table.hpp"

namespace scalescope::formats {
namespace {

/// Keras's words and ours; the classes of activations write their name in capitals where one
/// stands in a field.
constexpr WordRow activation_words[] = {
    {"none", "linear"},
    {"relu", "relu ReLU"},
    {"relu6", "relu6"},
    {"sigmoid", "sigmoid"},
    {"hard_sigmoid", "hard_sigmoid"},
    {"tanh", "tanh"},
    {"hard_tanh", "hard_tanh"},
    {"softmax", "softmax Softmax"},
    {"log_softmax", "log_softmax"},
    {"elu", "elu ELU"},
    {"selu", "selu"},
    {"celu", "celu"},
    {"gelu", "gelu"},
    {"silu", "swish silu"},
    {"hard_swish", "hard_swish hard_silu"},
    {"mish", "mish"},
    {"softplus", "softplus"},
    {"softsign", "softsign"},
    {"exp", "exponential exp"},
    {"erf", "erf"},
    {"log", "log"},
    {"sqrt", "sqrt"},
    {"abs", "abs absolute"},
    {"square", "square"},
    {"sin", "sin"},
    {"cos", "cos"},
    {"leaky_relu", "leaky_relu LeakyReLU"},
};

std::optional<std::string_view> our_activation(std::string_view word) { return ours_for(word, activation_words); }

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

/// A class that is one function.
template <class Word>
KerasTensors as_function(KerasUse& use, Word word) {
    return only(apply_activation(use, use.inputs[0], word, {}));
}

KerasTensors keras_relu(KerasUse& use) {
    const double top = use.fields.number({"max_value"}, 0, 0, 1e30),
                 slope = use.fields.number({"negative_slope"}, 0, -1e30, 1e30);
    return as_function(use, slope != 0 ? "leaky_relu" : top == 6 ? "relu6" : "relu");
}
KerasTensors keras_leaky_relu(KerasUse& use) { return as_function(use, "leaky_relu"); }
KerasTensors keras_elu(KerasUse& use) { return as_function(use, "elu"); }
KerasTensors keras_softmax(KerasUse& use) { return as_function(use, "softmax"); }

/// A slope for every element, or for those along the axes that share one.
KerasTensors keras_prelu(KerasUse& use) {
    const KerasTensor& in = use.inputs[0];
    const auto shared = use.fields.list({"shared_axes"}, 1, limits::rank);
    if (use.fields.failed()) return {};
    Checked slopes = 1;
    bool of_channels = true;
    const std::size_t channels = in.first ? 0 : in.dims.size() - 1;
    for (std::size_t a = 0; a < in.dims.size(); ++a) {
        const bool is_shared =
            std::find(shared.begin(), shared.end(), static_cast<std::int64_t>(a + 1)) != shared.end();
        if (!is_shared) slopes = slopes * in.dims[a];
        of_channels = of_channels && is_shared == (a != channels || in.dims[a] == 1);
    }
    const bool of_one = slopes.ok() && slopes.value() == 1;
    const std::string each = of_channels ? "channel" : shared.empty() ? "element" : "one";
    if (of_channels || shared.empty() || of_one)
        return only(use.add("activation", {{"function", std::string("prelu")}, {"slopes", each}}, {in}));
    return only(use.unknown(in.dims, slopes.ok() ? slopes.value() : limits::elements));
}

constexpr KerasType activation_types[] = {
    {"Activation", keras_activation, true},
    {"ReLU", keras_relu, true},
    {"LeakyReLU", keras_leaky_relu, true},
    {"PReLU", keras_prelu},
    {"ELU", keras_elu, true},
    {"Softmax", keras_softmax, true},
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
