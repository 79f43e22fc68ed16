// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/habitat/mlp.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include "core/formats/json_writer.hpp"

namespace scalescope::habitat {

std::vector<double> features_of(const MlpDevice& device) {
    return {device.memory / gigabytes(1), device.bandwidth / gigabytes_per_second(1),
            static_cast<double>(device.multiprocessors), device.single / teraflops(1)};
}

std::vector<float> normalised(const Mlp& mlp, std::span<const double> features) {
    std::vector<float> inputs;
    inputs.reserve(features.size());
    for (std::size_t i = 0; i < features.size(); ++i)
        inputs.push_back(static_cast<float>((features[i] - mlp.mu[i]) / mlp.sigma[i]));
    return inputs;
}

float run(const std::vector<MlpLayer>& layers, std::span<const float> inputs) {
    std::vector<float> now(inputs.begin(), inputs.end());
    for (std::size_t l = 0; l < layers.size(); ++l) {
        const MlpLayer& layer = layers[l];
        std::vector<float> next(layer.bias);
        for (std::size_t o = 0; o < layer.outputs; ++o) {
            const float* row = layer.weights.data() + o * layer.inputs;
            float sum = 0.0f;
            for (std::size_t i = 0; i < layer.inputs; ++i) sum += row[i] * now[i];
            next[o] += sum;
            if (l + 1 < layers.size() && next[o] < 0.0f) next[o] = 0.0f;
        }
        now = std::move(next);
    }
    return now.empty() ? 0.0f : now.front();
}

Result<Milliseconds> predict(const Mlp& mlp, std::span<const double> features) {
    if (features.size() != mlp.features.size())
        return fail(make_error("The network takes " + std::to_string(mlp.features.size()) + " features; there are " +
                                   std::to_string(features.size()) + ".",
                               "Give the operation's own features in the network's order."));
    const float time = run(mlp.layers, normalised(mlp, features));
    if (!std::isfinite(time))
        return fail(make_error("The network gives no finite time.",
                               "Its numbers or the features are too large; train it again."));
    return Milliseconds{static_cast<double>(time)};
}

Result<Milliseconds> predict(const Mlp& mlp, std::span<const double> own_features, const Device& device) {
    if (!device.mlp)
        return fail(make_error("Device " + device.name + " has no figures for networks.",
                               "Fill in mlp_mem, mlp_mem_bw, mlp_num_sm and mlp_single."));
    std::vector<double> all(own_features.begin(), own_features.end());
    for (const double feature : features_of(*device.mlp)) all.push_back(feature);
    return predict(mlp, all);
}

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
