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

template <class List>
void numbers(JsonWriter& json, std::string_view key, const List& list) {
    json.key(key);
    json.begin_inline_list();
    for (const auto number : list) json.integer(number);
    json.end_list();
}

void parents(JsonWriter& json, const std::vector<std::string>& names) {
    json.key("parents");
    json.begin_inline_list();
    for (const auto& name : names) json.text(name);
    json.end_list();
}

void text(JsonWriter& json, std::string_view key, std::string_view value) {
    json.key(key);
    json.text(value);
}

void extras(JsonWriter& json, const std::vector<std::pair<std::string, std::string>>& members) {
    for (const auto& [key, value] : members) {
        json.key(key);
        json.raw(value);
    }
}

void padding(JsonWriter& json, const Definition& d) {
    if (d.padding == Padding::given) return numbers(json, "padding", d.pad);
    text(json, "padding", d.padding == Padding::same ? "SAME" : "VALID");
}

void layer(JsonWriter& json, const Definition& d) {
    json.key(d.name);
    json.begin_object();
    parents(json, d.parents);
    text(json, "type", d.type);
    switch (d.kind) {
        case LayerType::input: numbers(json, "tensor", d.shape); break;
        case LayerType::convolution:
        case LayerType::deconvolution:
            numbers(json, "filter", d.filter);
            padding(json, d);
            numbers(json, "strides", d.strides);
            if (d.kind == LayerType::deconvolution) numbers(json, "output_shape", d.shape);
            break;
        case LayerType::pooling:
            numbers(json, "ksize", d.window);
            numbers(json, "strides", d.strides);
            padding(json, d);
            break;
        case LayerType::upsampling: numbers(json, "ksize", d.window); break;
        case LayerType::dropout:
            json.key("dropout_keep_prob");
            json.number(d.keep_probability);
            break;
        case LayerType::concatenate:
            json.key("dim");
            json.integer(d.dimension);
            break;
        case LayerType::reshape: numbers(json, "output_shape", d.shape); break;
        case LayerType::softmax:
        case LayerType::inner_product:
            if (d.outputs > 0) {
                json.key(d.kind == LayerType::softmax ? "num_classes" : "num_outputs");
                json.integer(d.outputs);
            }
            break;
        case LayerType::elementwise:
        case LayerType::sigmoid:
        case LayerType::generic: break;
    }
    if (!d.activation.empty()) text(json, "activation_fn", d.activation);
    if (!d.normalizer.empty()) text(json, "normalizer_fn", d.normalizer);
    extras(json, d.extras);
    json.end_object();
}

void block(JsonWriter& json, const Item& item) {
    json.key(item.name);
    json.begin_object();
    const bool parallel = item.kind == Item::Kind::model_parallel;
    text(json, "type", parallel ? "ModelParallel" : "Block");
    if (parallel) {
        json.key("splits");
        json.integer(item.splits);
    }
    parents(json, item.parents);
    if (!item.endpoint.empty()) text(json, "endpoint", item.endpoint);
    json.key("layers");
    json.begin_object();
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
    text(json, "name", net.description.name);
    json.key("layers");
    json.begin_object();
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
