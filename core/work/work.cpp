// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/work/work.hpp"

#include <map>
#include <optional>
#include <set>

namespace scalescope {

namespace {

/// An optimizer's arithmetic, the moments it keeps, and the numbers it moves for a parameter.
struct OptimizerTraffic {
    double flops;
    int moments;
    double fused, separate;
};

OptimizerTraffic traffic_of(Optimizer optimizer) {
    switch (optimizer) {
        case Optimizer::sgd:
            return {2, 0, 3, 3};  // w += c·g is one operation
        // m *= c (2), m += g (3), w += c·m (3)
        case Optimizer::momentum: return {4, 1, 5, 8};
        // m *= c (2), m += c·g (3), v *= c (2), v += c·g·g (3), d = √v (2), d /= c (2), d += c (2), w += c·m/d (4)
        case Optimizer::adam: return {12, 2, 7, 20};
        // Fused: Adam's but that the step u is written in place of w (7), |w| and |u| (2), w += c·u (3). Otherwise the
        // moments (10), |w| (1), d = √v, d += c (4), u = m/d (3), |u| (1), w += c·u (3).
        case Optimizer::lamb: return {16, 2, 12, 22};
    }
    return {};
}

std::optional<ProductLayer> product_of(const LayerFacts& f) {
    const auto d = [](std::int64_t x) { return static_cast<double>(x); };
    ProductLayer p;
    if (f.attention.queries > 0) {
        const AttentionFacts& a = f.attention;
        p.of = f.fused_attention ? ProductLayer::Of::fused : ProductLayer::Of::scores;
        p.count = d(f.query_heads);
        p.rows = d(a.queries);
        p.inputs = d(a.keys);
        p.width = d(a.width);
        p.outputs = d(a.value_width);
        p.seen = d(f.multiply_adds) / (p.count * p.rows * (p.width + p.outputs));
        return p;
    }
    if (!f.linear() || f.units <= 0 || f.out_elements <= 0 || f.out_elements % f.units != 0) return std::nullopt;
    p.outputs = d(f.units);
    p.rows = d(f.out_elements / f.units);
    p.inputs = d(f.multiply_adds) / d(f.out_elements);
    return p;
}

std::vector<ProductLayer> products_of(std::span<const LayerFacts> facts) {
    std::vector<ProductLayer> products;
    for (std::size_t i = 0; i < facts.size(); ++i)
        if (auto p = product_of(facts[i])) {
            p->layer = static_cast<int>(i);
            products.push_back(*p);
        }
    return products;
}

/// Of the layers in `narrow`, those that are the first of them to read a tensor. Experts read copies of their own.
std::vector<char> first_to_read(const Network& network, const std::vector<char>& narrow) {
    std::vector<char> first(narrow.size(), 0);
    std::set<int> read;
    for (std::size_t l = 0; l < narrow.size(); ++l) {
        if (narrow[l] == 0 || network.facts()[l].experts.count > 0) continue;
        for (const int tensor : network.reads(static_cast<int>(l)))
            if (read.insert(tensor).second) first[l] = 1;
    }
    return first;
}

/// Which of them ask for the same.
void find_alike(Work& work) {
    std::map<std::vector<double>, int> known;
    for (std::size_t i = 0; i < work.products.size(); ++i) {
        ProductLayer& p = work.products[i];
        const auto l = static_cast<std::size_t>(p.layer);
        std::vector<double> asks{p.rows,
                                 p.outputs,
                                 p.inputs,
                                 p.count,
                                 static_cast<double>(p.of),
                                 p.width,
                                 p.seen,
                                 work.is_narrow(l) ? 1.0 : 0.0};
        for (const PassWork& w : work.pass)
            for (const auto* of : {&w.flops, &w.inputs, &w.outputs, &w.weights, &w.active}) asks.push_back((*of)[l]);
        p.like = known.emplace(std::move(asks), static_cast<int>(i)).first->second;
    }
}

}  // namespace

UpdateCost update_cost(Optimizer optimizer, Precision precision, bool fused) {
    const OptimizerTraffic t = traffic_of(optimizer);
    const double w = bytes_per_element(precision), numbers = fused ? t.fused : t.separate;
    if (w >= 4) return {t.flops, numbers * w, t.moments * w};
    // All in fp32 but the gradient that is read (w) and the working copy that is written (w); they are operations of
    // their own unless fused: fp32 of the gradient is written, the master weight is read.
    const double copies = fused ? 2 * w - 4 : 2 * w + 8;
    return {t.flops, numbers * 4 + copies, 4 + t.moments * 4.0};
}

Moves moves_of(const Work& work, const LayerFacts& f, std::size_t layer, Pass pass) {
    const Traffic& t = pass == Pass::forward ? f.forward : pass == Pass::grad_input ? f.grad_input : f.grad_weights;
    Moves m{t.inputs, t.outputs, t.weights, static_cast<double>(t.own)};
    if (pass == Pass::grad_weights) m.weights *= work.sums_of_gradients();
    if (!work.is_narrow(layer)) return m;
    const bool inputs = pass != Pass::grad_input, gradients = pass != Pass::forward,
               cast = pass != Pass::grad_weights || work.pass[index_of(Pass::grad_input)].active[layer] == 0;
    const double read = work.narrow_as.bytes / work.element_bytes,
                 first = cast ? work.narrow_as.casting / work.element_bytes : 0.0;
    const auto narrow = [&](double times, bool is_first) { return times * read + (is_first ? first : 0.0); };
    if (pass != Pass::grad_weights) m.weights *= read;
    if (f.experts.count == 0) {
        if (inputs) m.inputs = narrow(m.inputs, !gradients && work.casts_input[layer] != 0);
        if (gradients) m.outputs = narrow(m.outputs, true);
    } else {
        if (inputs) m.own += static_cast<double>(f.experts.multiplied) * (narrow(1, !gradients) - 1);
        if (gradients) m.own += static_cast<double>(f.experts.gradients) * (narrow(1, true) - 1);
    }
    return m;
}

Work make_work(const Network& network, const Passes& passes, const Training& training, std::vector<char> narrow,
               const NarrowProducts& narrow_as) {
    const std::size_t n = static_cast<std::size_t>(network.size());
    const auto facts = network.facts();
    Work work;
    work.layers = network.size();
    work.element_bytes = work.gradient_element_bytes = bytes_per_element(training.precision);
    const double w = work.element_bytes;
    work.narrow = std::move(narrow);
    work.narrow_as = narrow_as;
    work.casts_input = first_to_read(network, work.narrow);
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
            if (work.is_narrow(i))
                work.own_bytes[i] -= static_cast<double>(f.experts.multiplied) * (w - narrow_as.bytes);
        }
        if (trains && passes.update) {  // gradients of a part without update are added to the next one's
            work.gradient_bytes[i] = work.weight_bytes[i];
            work.trained[i] = parameters;
        }
        auto fill = [&](Pass pass, std::int64_t multiply_adds) {
            PassWork& p = work.pass[index_of(pass)];
            p.flops[i] = 2.0 * static_cast<double>(multiply_adds);
            const Moves m = moves_of(work, f, i, pass);
            p.inputs[i] = m.inputs * work.in_bytes[i];
            p.outputs[i] = m.outputs * out_bytes + m.own * w;
            p.weights[i] = m.weights * used_weights + m.inputs * trained_inputs;
            p.active[i] = p.flops[i] + p.inputs[i] + p.outputs[i] + p.weights[i] > 0
                              ? static_cast<double>(f.launches[index_of(pass)])
                              : 0.0;
            return Flops{p.flops[i]};
        };
        if (passes.forward) work.forward_flops += fill(Pass::forward, f.multiply_adds);
        // Without a pass of their own the gradients of the weights come out of the one that gives the inputs'.
        const Traffic& t = f.grad_weights;
        const bool own_pass = f.weight_multiply_adds > 0 || t.inputs + t.outputs + t.weights > 0 || t.own > 0;
        if (passes.backward && (input_gradient || (trains && (!own_pass || f.gradients_together))))
            work.backward_flops += fill(Pass::grad_input, f.input_multiply_adds);
        if (trains && own_pass) work.backward_flops += fill(Pass::grad_weights, f.weight_multiply_adds);
    }
    for (PassWork& p : work.pass) p.priced = p.flops;
    work.products = products_of(facts);
    work.product_of.assign(n, -1);
    for (std::size_t i = 0; i < work.products.size(); ++i)
        work.product_of[static_cast<std::size_t>(work.products[i].layer)] = static_cast<int>(i);
    find_alike(work);
    return work;
}

}  // namespace scalescope
