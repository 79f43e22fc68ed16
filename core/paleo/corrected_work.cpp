// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/paleo/plan.hpp"

namespace scalescope::paleo {

namespace {

Amount samples(double elements) { return {element_bytes * elements, 0.0}; }

double inputs_per_sample(const Net& net, const Layer& layer) {
    double sum = 0.0;
    for (const int parent : layer.parents)
        sum += static_cast<double>(net.layers[static_cast<std::size_t>(parent)].output.per_sample());
    return sum;
}

double multiply_adds_of(const Layer& layer) {
    const auto number = [](std::int64_t i) { return static_cast<double>(i); };
    if (layer.kind == LayerType::inner_product) return number(layer.input[1]) * number(layer.output[1]);
    const auto& f = layer.filter;
    const Shape& positions = layer.kind == LayerType::deconvolution ? layer.input : layer.output;
    return number(f[0]) * number(f[1]) * number(f[2]) * number(f[3]) * number(positions[1]) * number(positions[2]);
}

/// How often a pass touches the inputs and the output of a layer without weights.
struct Touches {
    double inputs = 1.0;
    double output = 1.0;
};

Touches touches_of(const Layer& layer, Pass pass) {
    const bool forward = pass == Pass::forward;
    switch (layer.kind) {
        case LayerType::softmax:
        case LayerType::sigmoid: return forward ? Touches{} : Touches{1.0, 2.0};      // the kept output is read too
        case LayerType::elementwise: return forward ? Touches{} : Touches{0.0, 0.0};  // the gradient is passed on
        case LayerType::generic: break;
        default: return {};
    }
    // Types that PALEO does not know, but networks have.
    if (layer.type == "BatchNorm") return forward ? Touches{2.0, 1.0} : Touches{3.0, 2.0};
    if (layer.type == "LRN") return forward ? Touches{} : Touches{2.0, 2.0};
    if (layer.type == "Activation" || layer.type == "ReLU" || layer.type == "SpatialSoftmax")
        return forward ? Touches{} : Touches{1.0, 2.0};
    return {};
}

}  // namespace

PassPlan corrected_pass(const Net& net, const Layer& layer, Pass pass, bool input_trains) {
    PassPlan plan;
    if (layer.kind == LayerType::input || layer.kind == LayerType::reshape) return plan;
    if (pass == Pass::data_gradient && !input_trains) return plan;
    const double output = static_cast<double>(layer.output.per_sample());
    const bool multiplies = layer.kind == LayerType::convolution || layer.kind == LayerType::deconvolution ||
                            layer.kind == LayerType::inner_product;
    if (!multiplies) {
        const auto touches = touches_of(layer, pass);
        if (pass == Pass::filter_gradient || (touches.inputs == 0.0 && touches.output == 0.0)) return plan;
        plan.transfer(samples(touches.inputs * inputs_per_sample(net, layer)));
        plan.transfer(samples(touches.output * output));
        return plan;
    }
    plan.flops.per_sample = 2.0 * multiply_adds_of(layer);
    plan.transfer(samples(static_cast<double>(layer.input.per_sample())));
    plan.transfer({0.0, element_bytes * static_cast<double>(layer.parameters)});
    plan.transfer(samples(output));
    return plan;
}

}  // namespace scalescope::paleo
