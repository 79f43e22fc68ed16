// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/habitat/mlp_json.hpp"

#include "core/formats/json_writer.hpp"
#include "core/measure/habitat/mlp.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <span>

namespace scalescope::habitat {

namespace {

/// The shortest text that reads back as the same number, in its own precision: a float takes half of what its double
/// would. A zero keeps its sign.
template <class T>
std::string shortest_number(T value) {
    if (value == T{0}) return std::signbit(value) ? "-0.0" : "0";
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

}  // namespace

std::string write_mlp_models(const MlpModels& models) {
    formats::JsonWriter out;
    const auto list = [&](const auto& numbers) {
        out.begin_inline_list();
        for (const auto number : numbers) out.raw(shortest_number(number));
        out.end_list();
    };
    out.begin_object();
    for (const auto& [operation, mlp] : models) {
        const std::size_t hidden = mlp.layers.size() - 2;
        out.begin_object(operation);
        out.begin_inline_list("features");
        for (const auto& name : mlp.features) out.text(name);
        out.end_list();
        out.integer("layers", static_cast<std::int64_t>(hidden));
        out.integer("layer_size", static_cast<std::int64_t>(mlp.layers.front().outputs));
        out.key("mu");
        list(mlp.mu);
        out.key("sigma");
        list(mlp.sigma);
        out.begin_object("parameters");
        for (std::size_t l = 0; l < mlp.layers.size(); ++l) {
            const MlpLayer& layer = mlp.layers[l];
            out.begin_list(parameter_name(l, hidden, Parameter::weight));
            for (std::size_t o = 0; o < layer.outputs; ++o)
                list(std::span(layer.weights).subspan(o * layer.inputs, layer.inputs));
            out.end_list();
            out.key(parameter_name(l, hidden, Parameter::bias));
            list(layer.bias);
        }
        out.end_object();
        out.end_object();
    }
    out.end_object();
    return out.take();
}

}  // namespace scalescope::habitat
