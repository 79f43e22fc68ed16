// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/habitat/mlp.hpp"

#include <cmath>

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

}  // namespace scalescope::habitat
