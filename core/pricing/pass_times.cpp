// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pricing/pass_times.hpp"

#include <algorithm>

namespace scalescope {
namespace {

template <bool Overlap, bool Shared>
void price(const PassWork& w, std::size_t from, std::size_t to, double samples, const Shares& shares,
           const DeviceRates& rates, double* times) {
    const double per_flop = 1.0 / rates.arithmetic.value, per_byte = 1.0 / rates.memory.value,
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

double sum(const double* times, std::size_t from, std::size_t to) {
    double total = 0;
    for (std::size_t l = from; l < to; ++l) total += times[l];
    return total;
}

}  // namespace

void set_own_rates(Work& work, const DeviceRates& rates) {
    for (const int layer : work.fused_attention)
        for (const Pass pass : all_passes) {
            PassWork& w = work.pass[index_of(pass)];
            const auto l = static_cast<std::size_t>(layer);
            w.priced[l] = w.flops[l] * rates.attention_slowdown(pass != Pass::forward);
        }
    if (!rates.narrow) return;
    for (std::size_t l = 0; l < work.narrow.size(); ++l)
        if (work.narrow[l] != 0)
            for (PassWork& w : work.pass) w.priced[l] = w.flops[l] / rates.narrow->speedup;
}

Seconds price_layer(const Work& work, int layer, double samples, const LayerShares& shares, const DeviceRates& rates) {
    const auto l = static_cast<std::size_t>(layer);
    const auto seconds = [&](const PassWork& w) {
        return rates.without_start(Flops{w.priced[l] * shares.flops * samples},
                                   Bytes{(w.inputs[l] * shares.inputs + w.outputs[l] * shares.outputs) * samples +
                                         w.weights[l] * shares.weights}) +
               rates.launch * w.active[l];
    };
    Seconds sum{0};
    for (const PassWork& w : work.pass) sum += seconds(w);
    if (!work.again.empty() && work.again[l].any())
        sum += seconds(work.again[l].all ? work.pass[index_of(Pass::forward)] : work.part);
    return sum;
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
        total[p] = sum(t, a, b);
    }
    double recompute = 0;
    if (!work.part.flops.empty()) all(work.part, times.part.data());
    if (!work.again.empty())
        for (std::size_t l = a; l < b; ++l) recompute += recompute_of(work, times, l);
    return {total[0], total[1], total[2], recompute};
}

}  // namespace scalescope
