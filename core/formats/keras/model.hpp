// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/json_decoder.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the text of a Keras model says, of any of its three forms (Keras 1, 2 and 3), apart from what it means: layers,
/// and which of their results each call of a layer reads.
namespace scalescope::formats {

/// A result of a call of a layer.
struct KerasReference {
    std::string_view layer;
    std::int64_t call = 0, result = 0;
    std::string_view keyword;        ///< the argument it is given as; empty for one given by its place
    std::optional<JsonValue> shape;  ///< as the file states it (Keras 3), the batch first
    JsonValue at;
};

struct KerasCall {
    std::vector<KerasReference> inputs;
    std::optional<JsonValue> arguments;  ///< the object of the others, if there is one
};

struct KerasLayer {
    std::string_view type;    ///< class_name: "Conv2D"
    std::string_view module;  ///< Keras 3: "keras.layers"; empty if the file states none
    std::string_view name;
    JsonValue at;                    ///< the layer's object
    JsonValue config;                ///< an object; of a model in old files a list
    std::optional<JsonValue> build;  ///< build_config, of Keras 3
    std::vector<KerasCall> calls;    ///< of a functional model; empty for an input
};

struct KerasModel {
    std::string_view name;
    bool sequential = false;
    std::vector<KerasLayer> layers;
    std::vector<KerasReference> inputs, outputs;  ///< of a functional model, in the order it is called with
    std::optional<JsonValue> input_shape;         ///< of a sequential one that states it: batch first
};

/// Whether a layer is a model of layers.
bool is_keras_model(const KerasLayer& layer);

/// One layer out of its object, as wrappers hold them. Nothing if it has no class_name, which is reported.
std::optional<KerasLayer> read_keras_layer(JsonValue value, const std::string& path, ProblemList& problems);

/// The layers of a model. `problems` gets what is wrong, and nothing is returned if they cannot be known at all.
std::optional<KerasModel> read_keras_model(const KerasLayer& model, const std::string& path, ProblemList& problems);

/// All shapes in `value`, a result's or a list of them, are lists of numbers and null: the first of them.
std::optional<JsonValue> first_keras_shape(JsonValue value);

}  // namespace scalescope::formats
