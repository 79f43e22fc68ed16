// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/work/work.hpp"

#include <algorithm>

namespace scalescope {

UpdateCost update_cost(Optimizer optimizer, Precision precision) {
    const int moments = optimizer == Optimizer::sgd ? 0 : optimizer == Optimizer::momentum ? 1 : 2;
    const double flops = optimizer == Optimizer::sgd ? 2 : optimizer == Optimizer::momentum ? 4 : 12;
    const double w = bytes_per_element(precision);
    if (w >= 4) return {flops, 3 * w + 2 * moments * w, moments * w};
    // read gradient (w) and master weight (4), write master weight (4) and working copy (w); each moment is read and
    // written
    return {flops, w + 4 + 4 + w + moments * 8.0, 4 + moments * 4.0};
}

Work make_work(const Network& network, const Passes& passes, const Training& training) {
    const std::size_t n = static_cast<std::size_t>(network.size());
    const auto facts = network.facts();
    Work work;
    work.layers = network.size();
    work.element_bytes = work.gradient_element_bytes = bytes_per_element(training.precision);
    const double w = work.element_bytes;
    for (auto& p : work.pass) {
        for (auto* v : {&p.flops, &p.inputs, &p.outputs, &p.weights, &p.active}) v->assign(n, 0.0);
    }
    for (auto* v : {&work.in_bytes, &work.out_bytes, &work.mask_bytes, &work.own_bytes, &work.weight_bytes,
                    &work.gradient_bytes, &work.trained})
        v->assign(n, 0.0);
    for (auto* v : {&work.gradient_needed, &work.keeps_input, &work.keeps_output}) v->assign(n, 0);

    for (std::size_t i = 0; i < n; ++i) {
        const LayerFacts& f = facts[i];
        const auto inputs = network.inputs(static_cast<int>(i));
        const bool frozen = network.frozen(static_cast<int>(i), training.frozen);
        const bool trains = f.weights > 0 && !frozen && passes.backward && passes.weights;
        // A gradient must reach this layer's input if any input's own gradient is needed.
        bool input_gradient = false;
        for (int in : inputs) input_gradient |= work.gradient_needed[static_cast<std::size_t>(in)] != 0;
        if (f.division == Division::source) {
            work.gradient_needed[i] = passes.backward && passes.to_data;
        } else {
            work.gradient_needed[i] = trains || input_gradient;
        }
        work.in_bytes[i] = static_cast<double>(f.in_elements) * w;
        const double out_bytes = static_cast<double>(f.out_elements) * w,
                     used_weights = static_cast<double>(f.weights) * w,
                     trained_inputs = static_cast<double>(f.in_step_elements) * w,
                     parameters = static_cast<double>(f.parameters());
        work.out_bytes[i] = f.per_step ? 0.0 : out_bytes;
        work.weight_bytes[i] = parameters * w;
        work.parameters += parameters;
        if (f.convolution) {
            work.convolutions.push_back(static_cast<int>(i));
            work.geometry.push_back(*f.convolution);
        }
        if (passes.backward && (trains || input_gradient)) {
            work.keeps_input[i] = f.keeps_input && (trains || !f.input_for_weights);
            work.keeps_output[i] = f.keeps_output;
            work.mask_bytes[i] = f.mask * static_cast<double>(f.out_elements);
            work.own_bytes[i] = static_cast<double>(f.kept_elements) * w;
        }
        if (trains && passes.update) {  // gradients of a part without update are added to the next one's
            work.gradient_bytes[i] = work.weight_bytes[i];
            work.trained[i] = parameters;
        }
        auto fill = [&](Pass pass, const Traffic& t, std::int64_t multiply_adds) {
            PassWork& p = work.pass[index_of(pass)];
            p.flops[i] = 2.0 * static_cast<double>(multiply_adds);
            p.inputs[i] = t.inputs * work.in_bytes[i];
            p.outputs[i] = t.outputs * out_bytes + static_cast<double>(t.own) * w;
            p.weights[i] = t.weights * used_weights + t.inputs * trained_inputs;
            p.active[i] = p.flops[i] + p.inputs[i] + p.outputs[i] + p.weights[i] > 0
                              ? static_cast<double>(f.launches[index_of(pass)])
                              : 0.0;
            return Flops{p.flops[i]};
        };
        if (passes.forward) work.forward_flops += fill(Pass::forward, f.forward, f.multiply_adds);
        // Without a pass of their own the gradients of the weights come out of the one that gives the inputs'.
        const Traffic& t = f.grad_weights;
        const bool own_pass = f.weight_multiply_adds > 0 || t.inputs + t.outputs + t.weights > 0 || t.own > 0;
        if (passes.backward && (input_gradient || (trains && (!own_pass || f.gradients_together))))
            work.backward_flops += fill(Pass::grad_input, f.grad_input, f.input_multiply_adds);
        if (trains && own_pass) work.backward_flops += fill(Pass::grad_weights, t, f.weight_multiply_adds);
    }
    return work;
}

}  // namespace scalescope
