// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pricing/pass_times.hpp"

#include <algorithm>

namespace scalescope {
namespace {

template <bool Overlap, bool Shared>
void price(const PassWork& w, std::size_t from, std::size_t to, double samples, const Shares& shares,
           const DeviceRates& rates, double* times) {
    const double per_flop = 1.0 / rates.arithmetic.value, per_byte = rates.traffic / rates.memory.value,
                 launch = rates.launch.value;
    const double *flops = w.priced.data(), *inputs = w.inputs.data(), *outputs = w.outputs.data(),
                 *weights = w.weights.data(), *active = w.active.data();
    const auto share = [](std::span<const double> of, std::size_t l) { return Shared ? of[l] : 1.0; };
    for (std::size_t l = from; l < to; ++l) {
        const double c = flops[l] * share(shares.flops, l) * samples * per_flop;
        const double m = ((inputs[l] * share(shares.in, l) + outputs[l] * share(shares.out, l)) * samples +
                          weights[l] * share(shares.weights, l)) *
                         per_byte;
        times[l] = (Overlap ? std::max(c, m) : c + m) + launch * active[l];
    }
}

Seconds seconds_of(const Work& work, int layer, Pass pass, double samples, const LayerShares& share,
                   const DeviceRates& rates) {
    const auto l = static_cast<std::size_t>(layer);
    return product_seconds(product_pass(work, layer, pass, samples, share), work.pass[index_of(pass)].active[l],
                           product_rates_of(work, l, rates), rates);
}

/// Of half a product, with a start-up of its own.
Seconds half_of(Seconds whole, const Work& work, std::size_t l, const DeviceRates& rates) {
    const Seconds start = start_of({}, product_rates_of(work, l, rates), rates) * work.pass[0].active[l];
    return (whole - start) / 2 + start;
}

/// Replaces the price of a matrix product by that of the cheapest method, convolution by convolution.
void use_cheapest(const Work& work, std::size_t pass, int from, int to, double samples, const Shares& shares,
                  const DeviceRates& rates, double* times) {
    for (std::size_t i = 0; i < work.convolutions.size(); ++i) {
        const int l = work.convolutions[i];
        const auto k = static_cast<std::size_t>(l);
        if (l < from || l >= to || work.pass[pass].active[k] == 0) continue;
        const double filters = static_cast<double>(work.geometry[i].out_c) * (shares.out.empty() ? 1.0 : shares.out[k]);
        times[l] =
            cheapest_convolution(Seconds{times[l]}, work.geometry[i], filters, samples, work.element_bytes, rates)
                .value;
    }
}

LayerShares shares_of(const Shares& shares, std::size_t l) { return shares.out.empty() ? LayerShares{} : shares.of(l); }

/// Replaces the price by FLOPs and bytes of layers that are products with weights by that of their shapes. Equal ones
/// are priced once.
void use_shapes(const Work& work, int from, int to, double samples, const Shares& shares, const DeviceRates& rates,
                PassTimes& times) {
    const std::int64_t call = ++times.calls;
    const auto first =
        std::lower_bound(work.products.begin(), work.products.end(), from,
                         [](const ProductLayer& product, int position) { return product.layer < position; });
    for (auto product = first; product != work.products.end() && product->layer < to; ++product) {
        const auto l = static_cast<std::size_t>(product->layer);
        if (!by_shape(work, l, rates)) continue;
        const LayerShares share = shares_of(shares, l);
        PassTimes::Known& known = times.known[static_cast<std::size_t>(product->like)];
        const auto like = static_cast<std::size_t>(known.layer);
        if (known.call == call && (shares.out.empty() || shares_of(shares, like) == share)) {
            for (auto& t : times.pass) t[l] = t[like];
        } else {
            for (const Pass pass : all_passes)
                if (work.pass[index_of(pass)].active[l] > 0)
                    times.pass[index_of(pass)][l] = seconds_of(work, product->layer, pass, samples, share, rates).value;
            known = {call, product->layer};
        }
        if (!work.again.empty() && work.again[l].half)
            times.part[l] = half_of(Seconds{times.pass[0][l]}, work, l, rates).value;
    }
}

double sum(const double* times, std::size_t from, std::size_t to) {
    double total = 0;
    for (std::size_t l = from; l < to; ++l) total += times[l];
    return total;
}

}  // namespace

bool by_shape(const Work& work, std::size_t l, const DeviceRates& rates) {
    const int at = work.product_of[l];
    if (at < 0) return false;
    if (work.products[static_cast<std::size_t>(at)].of == ProductLayer::Of::fused) return rates.attention.has_value();
    return product_rates_of(work, l, rates) != nullptr;
}

ProductPass product_pass(const Work& work, int layer, Pass pass, double samples, const LayerShares& s) {
    const auto l = static_cast<std::size_t>(layer);
    const ProductLayer& p = work.products[static_cast<std::size_t>(work.product_of[l])];
    const PassWork& w = work.pass[index_of(pass)];
    const Bytes moved{(w.inputs[l] * s.inputs + w.outputs[l] * s.outputs) * samples + w.weights[l] * s.weights};
    ProductPass of;
    if (p.of == ProductLayer::Of::fused) {
        const double rows = p.count * samples * s.outputs;
        of.fused = {rows,
                    p.rows,
                    p.seen,
                    p.inputs,
                    (p.width + p.outputs) / 2,
                    Flops{w.flops[l] * s.flops * samples},
                    moved,
                    pass != Pass::forward};
        return of;
    }
    if (p.of == ProductLayer::Of::scores) {
        const double heads = p.count * samples * s.outputs, q = p.rows, k = p.inputs, d = p.width, v = p.outputs;
        if (pass == Pass::forward)
            of.shapes = {{{q, k, d, heads}, {q, v, k, heads}}}, of.count = 2;
        else  // gradients of values, scores, queries and keys
            of.shapes = {{{k, v, q, heads}, {q, k, v, heads}, {q, d, k, heads}, {k, d, q, heads}}}, of.count = 4;
    } else {
        // Arithmetic, output and weights are rows·outputs·inputs, rows·outputs and outputs·inputs of what is whole.
        const double m = p.rows * samples * (s.weights > 0 ? s.flops / s.weights : 1.0),
                     k = p.inputs * (s.outputs > 0 ? s.flops / s.outputs : 1.0),
                     n = p.outputs * (s.flops > 0 ? s.outputs * s.weights / s.flops : 1.0);
        of.shapes[0] = pass == Pass::forward      ? ProductShape{m, n, k, p.count}
                       : pass == Pass::grad_input ? ProductShape{m, k, n, p.count}
                                                  : ProductShape{k, n, m, p.count};
        of.count = 1;
    }
    const double read = work.is_narrow(l) ? work.narrow_as.bytes : work.element_bytes;
    double own = 0;
    for (int i = 0; i < of.count; ++i) {
        const ProductShape& x = of.shapes[static_cast<std::size_t>(i)];
        own += x.count * (read * (x.m + x.n) * x.k + work.element_bytes * x.m * x.n);
    }
    if (moved.value > own * (1 + 1e-9)) of.beside = moved - Bytes{own};
    return of;
}

Seconds start_of(const ProductPass& pass, const ProductRates* products, const DeviceRates& rates) {
    return std::max(rates.launch, pass.fused ? rates.attention->family->launch : products->launch());
}

Seconds product_seconds(const ProductPass& pass, double operations, const ProductRates* products,
                        const DeviceRates& rates) {
    Seconds t = start_of(pass, products, rates) * operations;
    if (pass.fused) return t + attention_time(*pass.fused, *rates.attention).total;
    for (int i = 0; i < pass.count; ++i)
        t += product_time(pass.shapes[static_cast<std::size_t>(i)], *products).total - products->launch();
    return t + pass.beside / rates.memory;
}

void set_own_rates(Work& work, const DeviceRates& rates) {
    if (!rates.narrow) return;
    for (std::size_t l = 0; l < work.narrow.size(); ++l)
        if (work.narrow[l] != 0)
            for (PassWork& w : work.pass) w.priced[l] = w.flops[l] / rates.narrow->speedup;
}

Seconds price_layer(const Work& work, int layer, double samples, const LayerShares& shares, const DeviceRates& rates) {
    const auto l = static_cast<std::size_t>(layer);
    const bool shaped = by_shape(work, l, rates);
    const auto by_amounts = [&](const PassWork& w) {
        return rates.without_start(
                   Flops{w.priced[l] * shares.flops * samples},
                   rates.traffic * Bytes{(w.inputs[l] * shares.inputs + w.outputs[l] * shares.outputs) * samples +
                                         w.weights[l] * shares.weights}) +
               rates.launch * w.active[l];
    };
    const auto seconds = [&](Pass pass) {
        const PassWork& w = work.pass[index_of(pass)];
        return shaped && w.active[l] > 0 ? seconds_of(work, layer, pass, samples, shares, rates) : by_amounts(w);
    };
    Seconds sum{0};
    for (const Pass pass : all_passes) sum += seconds(pass);
    if (work.again.empty() || !work.again[l].any()) return sum;
    const Work::Again& again = work.again[l];
    if (shaped && again.half) return sum + half_of(seconds(Pass::forward), work, l, rates);
    return sum + (again.all ? seconds(Pass::forward) : by_amounts(work.part));
}

PassTotals price_passes(const Work& work, int from, int to, double samples, const Shares& shares,
                        const DeviceRates& rates, PassTimes& times) {
    const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
    std::array<double, 3> total{};
    const auto all = [&](const PassWork& w, double* t) {
        if (shares.out.empty())
            rates.overlap_memory ? price<true, false>(w, a, b, samples, shares, rates, t)
                                 : price<false, false>(w, a, b, samples, shares, rates, t);
        else
            rates.overlap_memory ? price<true, true>(w, a, b, samples, shares, rates, t)
                                 : price<false, true>(w, a, b, samples, shares, rates, t);
    };
    for (std::size_t p = 0; p < 3; ++p) {
        double* t = times.pass[p].data();
        all(work.pass[p], t);
        if (rates.convolution == ConvolutionAlgorithm::cheapest)
            use_cheapest(work, p, from, to, samples, shares, rates, t);
    }
    if (!work.part.flops.empty()) all(work.part, times.part.data());
    if (rates.products || rates.attention) use_shapes(work, from, to, samples, shares, rates, times);
    for (std::size_t p = 0; p < 3; ++p) total[p] = sum(times.pass[p].data(), a, b);
    double recompute = 0;
    if (!work.again.empty())
        for (std::size_t l = a; l < b; ++l) recompute += recompute_of(work, times, l);
    return {total[0], total[1], total[2], recompute};
}

}  // namespace scalescope
