// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/paleo/corrected_work.hpp"

namespace scalescope::paleo {

namespace {

constexpr double element_bytes = 4.0;

Amount samples(double elements) { return {element_bytes * elements, 0.0}; }

double inputs_per_sample(const Net& net, const Layer& layer) {
    double sum = 0.0;
    for (const int parent : layer.parents)
        sum += static_cast<double>(net.layers[static_cast<std::size_t>(parent)].output.per_sample());
    return sum;
}

/// Multiply-adds of one sample, and the weights without biases.
struct Product {
    double multiply_adds = 0.0;
    double weights = 0.0;
};

Product product_of(const Layer& layer) {
    const auto number = [](std::int64_t i) { return static_cast<double>(i); };
    if (layer.kind == LayerType::inner_product) {
        const double weights = number(layer.input[1]) * number(layer.output[1]);
        return {weights, weights};
    }
    const auto& f = layer.filter;
    const double weights = number(f[0]) * number(f[1]) * number(f[2]) * number(f[3]);
    const Shape& positions = layer.kind == LayerType::deconvolution ? layer.input : layer.output;
    return {weights * number(positions[1]) * number(positions[2]), weights};
}

}  // namespace

PassPlan corrected_pass(const Net& net, const Layer& layer, Pass pass) {
    PassPlan plan;
    if (layer.kind == LayerType::input || layer.kind == LayerType::reshape) return plan;
    if (pass == Pass::data_gradient && layer.reads_data) return plan;
    const Amount output = samples(static_cast<double>(layer.output.per_sample()));
    const bool multiplies = layer.kind == LayerType::convolution || layer.kind == LayerType::deconvolution ||
                            layer.kind == LayerType::inner_product;
    if (!multiplies) {
        if (pass == Pass::filter_gradient) return plan;
        plan.transfer(samples(inputs_per_sample(net, layer)));
        plan.transfer(output);
        return plan;
    }
    const auto product = product_of(layer);
    plan.flops.per_sample = 2.0 * product.multiply_adds;
    plan.transfer(samples(static_cast<double>(layer.input.per_sample())));
    plan.transfer({0.0, element_bytes * product.weights});
    plan.transfer(output);
    return plan;
}

}  // namespace scalescope::paleo
