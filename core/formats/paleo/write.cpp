// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/json_writer.hpp"
#include "core/formats/paleo/network.hpp"

namespace scalescope::formats {

namespace paleo_write {
namespace {

using paleo::Definition;
using paleo::Item;
using paleo::LayerType;
using paleo::Padding;

void extras(JsonWriter& json, const std::vector<std::pair<std::string, std::string>>& members) {
    for (const auto& [key, value] : members) json.raw(key, value);
}

void padding(JsonWriter& json, const Definition& d) {
    if (d.padding == Padding::given) return json.numbers("padding", d.pad);
    json.text("padding", d.padding == Padding::same ? "SAME" : "VALID");
}

void layer(JsonWriter& json, const Definition& d) {
    json.begin_object(d.name);
    json.texts("parents", d.parents);
    json.text("type", d.type);
    switch (d.kind) {
        case LayerType::input: json.numbers("tensor", d.shape); break;
        case LayerType::convolution:
        case LayerType::deconvolution:
            json.numbers("filter", d.filter);
            padding(json, d);
            json.numbers("strides", d.strides);
            if (d.kind == LayerType::deconvolution) json.numbers("output_shape", d.shape);
            break;
        case LayerType::pooling:
            json.numbers("ksize", d.window);
            json.numbers("strides", d.strides);
            padding(json, d);
            break;
        case LayerType::upsampling: json.numbers("ksize", d.window); break;
        case LayerType::dropout: json.number("dropout_keep_prob", d.keep_probability); break;
        case LayerType::concatenate: json.integer("dim", d.dimension); break;
        case LayerType::reshape: json.numbers("output_shape", d.shape); break;
        case LayerType::softmax:
        case LayerType::inner_product:
            if (d.outputs > 0) json.integer(d.kind == LayerType::softmax ? "num_classes" : "num_outputs", d.outputs);
            break;
        case LayerType::elementwise:
        case LayerType::sigmoid:
        case LayerType::generic: break;
    }
    if (!d.activation.empty()) json.text("activation_fn", d.activation);
    if (!d.normalizer.empty()) json.text("normalizer_fn", d.normalizer);
    extras(json, d.extras);
    json.end_object();
}

void block(JsonWriter& json, const Item& item) {
    json.begin_object(item.name);
    const bool parallel = item.kind == Item::Kind::model_parallel;
    json.text("type", parallel ? "ModelParallel" : "Block");
    if (parallel) json.integer("splits", item.splits);
    json.texts("parents", item.parents);
    if (!item.endpoint.empty()) json.text("endpoint", item.endpoint);
    json.begin_object("layers");
    for (const auto& sublayer : item.layers) layer(json, sublayer);
    json.end_object();
    extras(json, item.extras);
    json.end_object();
}

}  // namespace
}  // namespace paleo_write

std::string write_paleo_network(const paleo::Net& net) {
    using namespace paleo_write;
    JsonWriter json;
    json.begin_object();
    json.text("name", net.description.name);
    json.begin_object("layers");
    for (const auto& item : net.description.items) {
        if (item.kind == Item::Kind::layer)
            layer(json, item.layer);
        else
            block(json, item);
    }
    json.end_object();
    json.end_object();
    return json.take();
}

}  // namespace scalescope::formats
