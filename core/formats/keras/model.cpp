// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/keras/model.hpp"

#include "core/base/limits.hpp"

namespace scalescope::formats {
namespace {

std::string_view keras_text(JsonValue object, std::string_view name) {
    const auto found = object.find(name);
    return found ? found->text() : std::string_view{};
}

bool is_reference(JsonValue value) {
    if (!value.is_array() || value.size() < 2) return false;
    auto it = value.begin();
    return (*it).is_string() && (*++it).is_integer();
}

KerasReference reference_of(JsonValue value) {
    std::int64_t numbers[2] = {0, 0};
    std::string_view layer;
    std::size_t i = 0;
    for (const JsonValue part : value) {
        if (i == 0) layer = part.text();
        if (i == 1 || i == 2) numbers[i - 1] = part.integer();
        ++i;
    }
    return {layer, numbers[0], numbers[1], {}, {}, value};
}

/// Keras 1 and 2 name a result by a list: ["conv1", 0, 0], with further arguments as an object behind it. Keras 3 puts
/// a stand-in for the tensor among the arguments. Both stand in lists and objects of any depth.
class ReferenceCollector {
public:
    explicit ReferenceCollector(KerasCall& call) : call_(call) {}

    void collect(JsonValue value, std::string_view keyword = {}) {
        if (call_.inputs.size() >= limits::layer_inputs) return;
        if (value.is_array() && is_reference(value)) return add_list(value, keyword);
        if (value.is_object() && keras_text(value, "class_name") == "__keras_tensor__")
            return add_tensor(value, keyword);
        if (value.is_array() || value.is_object())
            for (const JsonValue part : value)
                collect(part, keyword.empty() && value.is_object() ? part.key() : keyword);
    }

private:
    void add_list(JsonValue value, std::string_view keyword) {
        auto reference = reference_of(value);
        reference.keyword = keyword;
        // A constant that was given in the place of a tensor is none.
        if (reference.layer != "_CONSTANT_VALUE") put(reference);
        std::size_t i = 0;
        for (const JsonValue part : value)
            if (++i > 3 && part.is_object()) {
                if (part.size() > 0) call_.arguments = part;
                for (const JsonValue argument : part) collect(argument, argument.key());
            }
    }

    void add_tensor(JsonValue value, std::string_view keyword) {
        const auto config = value.find("config");
        const auto history = config ? config->find("keras_history") : std::nullopt;
        if (!history || !is_reference(*history)) return;
        auto reference = reference_of(*history);
        reference.keyword = keyword;
        reference.shape = config->find("shape");
        put(reference);
    }

    /// Masks say which steps count; every step is priced.
    void put(const KerasReference& reference) {
        if (reference.keyword.find("mask") == std::string_view::npos) call_.inputs.push_back(reference);
    }

    KerasCall& call_;
};

KerasCall call_of(JsonValue node) {
    KerasCall call;
    ReferenceCollector collector(call);
    if (const auto arguments = node.find("args")) {
        collector.collect(*arguments);
        if (const auto keywords = node.find("kwargs")) {
            if (keywords->size() > 0) call.arguments = keywords;
            for (const JsonValue argument : *keywords) collector.collect(argument, argument.key());
        }
        return call;
    }
    collector.collect(node);
    return call;
}

std::vector<KerasReference> references_in(const std::optional<JsonValue>& value) {
    KerasCall all;
    if (value) ReferenceCollector(all).collect(*value);
    return std::move(all.inputs);
}

bool is_shape(JsonValue value) {
    if (!value.is_array()) return false;
    for (const JsonValue d : value)
        if (!d.is_null() && !d.is_number()) return false;
    return true;
}

}  // namespace

bool is_keras_model(const KerasLayer& l) {
    if (l.type == "Sequential" || l.type == "Model" || l.type == "Functional") return true;
    // A class of the author's own, written as one of layers.
    return l.config.is_object() && l.config.find("layers") && l.config.find("input_layers");
}

std::optional<JsonValue> first_keras_shape(JsonValue value) {
    if (is_shape(value)) return value;
    if (!value.is_array() && !value.is_object()) return std::nullopt;
    for (const JsonValue part : value)
        if (is_shape(part)) return part;
    return std::nullopt;
}

std::optional<KerasLayer> read_keras_layer(JsonValue value, const std::string& path, ProblemList& problems) {
    const std::string_view type = keras_text(value, "class_name");
    const auto config = value.find("config");
    if (type.empty() || !config || (!config->is_object() && !config->is_array())) {
        problems.error(value.at(), path, "A layer has a class_name and a config.",
                       "Write { \"class_name\": \"Dense\", \"config\": { \"units\": 10 } }.");
        return std::nullopt;
    }
    KerasLayer layer{type, keras_text(value, "module"), keras_text(value, "name"), value, *config, {}, {}};
    if (layer.name.empty()) layer.name = keras_text(*config, "name");
    if (const auto build = value.find("build_config"); build && build->is_object()) layer.build = build;
    if (const auto nodes = value.find("inbound_nodes"); nodes && nodes->is_array())
        for (const JsonValue node : *nodes) layer.calls.push_back(call_of(node));
    return layer;
}

std::optional<KerasModel> read_keras_model(const KerasLayer& from, const std::string& path, ProblemList& problems) {
    KerasModel model;
    model.name = from.name;
    model.sequential = from.type == "Sequential";
    const auto layers = from.config.is_array() ? std::optional(from.config) : from.config.find("layers");
    if (!layers || !layers->is_array()) {
        problems.error(from.config.at(), path, "The model has no list of layers.",
                       "Write \"layers\": [ … ] in its config, or save it again with model.to_json().");
        return std::nullopt;
    }
    if (layers->size() > limits::layers) {
        problems.error(layers->at(), path, "The model has " + std::to_string(layers->size()) + " layers.",
                       "This program accepts up to " + std::to_string(limits::layers) + ".");
        return std::nullopt;
    }
    const std::size_t errors = problems.errors();
    for (const JsonValue value : *layers) {
        auto layer = read_keras_layer(value, join_path(path, "layers"), problems);
        if (layer) model.layers.push_back(std::move(*layer));
        if (problems.errors() > limits::problems) break;
    }
    if (problems.errors() > errors) return std::nullopt;
    if (from.config.is_object()) {
        model.inputs = references_in(from.config.find("input_layers"));
        model.outputs = references_in(from.config.find("output_layers"));
        if (const auto shape = from.config.find("build_input_shape")) model.input_shape = first_keras_shape(*shape);
    }
    if (!model.input_shape && from.build)
        if (const auto shape = from.build->find("input_shape")) model.input_shape = first_keras_shape(*shape);
    return model;
}

}  // namespace scalescope::formats
