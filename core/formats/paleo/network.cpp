// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/paleo/network.hpp"

#include <utility>

#include "core/formats/json_writer.hpp"
#include "core/formats/paleo/build.hpp"

namespace scalescope::formats {

namespace paleo_build {
namespace {

using namespace paleo;

Layer start(const paleo_build::Unfolded& from, const std::vector<int>& place_of) {
    Layer layer;
    static_cast<Figures&>(layer) = *from.definition;
    layer.name = from.name;
    for (const int parent : from.parents) layer.parents.push_back(place_of[static_cast<std::size_t>(parent)]);
    layer.split = from.split;
    return layer;
}

void renumber(std::vector<Step>& walk, const std::vector<int>& place_of) {
    for (auto& step : walk) {
        if (step.layer >= 0) step.layer = place_of[static_cast<std::size_t>(step.layer)];
        for (auto& branch : step.branches) renumber(branch, place_of);
    }
}

Result<Net> build(Description description, ProblemList problems) {
    const auto unfolded = paleo_build::unfold(description, problems);
    if (problems.has_errors()) return fail(problems.take());
    const paleo_build::Reporter report{problems, description.file};
    auto order = paleo_build::order(unfolded, report);
    if (problems.has_errors()) return fail(problems.take());

    Net net;
    std::vector<int> place_of(unfolded.size(), 0);
    for (std::size_t i = 0; i < order.order.size(); ++i)
        place_of[static_cast<std::size_t>(order.order[i])] = static_cast<int>(i);
    net.layers.reserve(unfolded.size());
    for (const int place : order.order) {
        const auto& from = unfolded[static_cast<std::size_t>(place)];
        Layer layer = start(from, place_of);
        paleo_build::derive(layer, from, net.layers, report);
        net.layers.push_back(std::move(layer));
    }
    if (problems.has_errors()) return fail(problems.take());
    renumber(order.walk, place_of);
    net.walk = std::move(order.walk);
    net.name = description.name;
    net.description = std::move(description);
    net.warnings = problems.take();
    return net;
}

}  // namespace
}  // namespace paleo_build

Result<paleo::Net> build_paleo_network(paleo::Description description) {
    return paleo_build::build(std::move(description), {});
}

Result<paleo::Net> read_paleo_network(std::string_view text, std::string file, const Watch& watch) {
    ASSIGN_OR_RETURN(const auto document, parse_json(text, std::move(file), watch));
    ProblemList problems;
    auto description = paleo_build::decode(document, problems);
    if (problems.has_errors()) return fail(problems.take());
    return paleo_build::build(std::move(description), std::move(problems));
}

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
