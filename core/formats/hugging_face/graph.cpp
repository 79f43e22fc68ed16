// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face/graph.hpp"

#include "core/formats/word_table.hpp"

namespace scalescope::formats::hugging_face {

LayerId Graph::add(std::string name, std::string_view kind, Inputs inputs, const Attributes& attributes) {
    Layer layer;
    layer.id = LayerId{static_cast<std::uint32_t>(draft_.layers.size() + 1)};
    layer.name = prefix + std::move(name);
    layer.kind = find_kind(kind);
    layer.inputs = std::move(inputs);
    layer.at = at_;
    layer.attributes = attributes_of(*layer.kind, attributes);
    draft_.layers.push_back(std::move(layer));
    return draft_.layers.back().id;
}

LayerId Graph::input(std::string name, std::vector<Dim> shape) {
    return add(std::move(name), "input", {}, {{"shape", std::move(shape)}});
}

LayerId Graph::dense(std::string name, LayerId in, std::int64_t units, bool bias) {
    return add(std::move(name), "dense", {in}, {{"units", units}, {"bias", bias}, {"per_position", true}});
}

LayerId Graph::norm(std::string name, LayerId in, Norm norm) {
    if (norm == Norm::rms) return add(std::move(name), "rms_norm", {in});
    return add(std::move(name), "layer_norm", {in},
               {{"scale", norm != Norm::layer_without_weights}, {"bias", norm == Norm::layer}});
}

LayerId Graph::embedding(std::string name, LayerId in, std::int64_t rows, std::int64_t width) {
    return add(std::move(name), "embedding", {in}, {{"vocabulary", rows}, {"width", width}});
}

LayerId Graph::parameter(std::string name, const std::vector<std::int64_t>& shape) {
    std::vector<Dim> dims;
    for (const std::int64_t d : shape) dims.push_back({d, {}});
    return add(std::move(name), "parameter", {}, {{"shape", sample_shape(std::move(dims))}});
}

LayerId Graph::reshape(std::string name, LayerId in, std::vector<Dim> shape) {
    return add(std::move(name), "reshape", {in}, {{"shape", std::move(shape)}});
}

LayerId Graph::activation(std::string name, LayerId in, const std::string& function) {
    return add(std::move(name), "activation", {in}, {{"function", function}});
}

LayerId Graph::dropout(std::string name, LayerId in, double rate) {
    if (!(rate > 0)) return in;
    return add(std::move(name), "dropout", {in}, {{"rate", rate}});
}

void Graph::share(LayerId layer, LayerId owner) { draft_.layers[layer.value - 1].shares_weights_with = owner; }

void Graph::share_all(std::size_t first, std::size_t owner, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto kind = draft_.layers[first + i].kind->name;
        if (kind == "dense" || kind == "layer_norm" || kind == "rms_norm")
            draft_.layers[first + i].shares_weights_with = draft_.layers[owner + i].id;
    }
}

std::vector<Dim> sample_shape(std::vector<Dim> dims) {
    dims.insert(dims.begin(), Dim{1, "batch"});
    return dims;
}

std::string activation_called(std::string_view name) {
    constexpr WordRow words[] = {{"gelu", "gelu gelu_new gelu_fast gelu_python gelu_pytorch_tanh quick_gelu"},
                                 {"silu", "silu swish"},
                                 {"square", "relu2"}};
    if (is_among(name, "relu tanh sigmoid mish selu")) return std::string(name);
    return std::string(ours_for(name, words).value_or(""));
}

}  // namespace scalescope::formats::hugging_face
