// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pricing/pass_times.hpp"

#include <algorithm>

namespace scalescope {
namespace {

template <bool Overlap, bool Shared>
double price(const PassWork& w, std::size_t from, std::size_t to, double samples, const Shares& shares, const DeviceRates& rates,
             double* times) {
    const double per_flop = 1.0 / rates.arithmetic.value, per_byte = 1.0 / rates.memory.value, launch = rates.launch.value;
    const double *flops = w.flops.data(), *inputs = w.inputs.data(), *outputs = w.outputs.data(), *weights = w.weights.data(),
                 *active = w.active.data(), *in = Shared ? shares.in.data() : nullptr, *out = Shared ? shares.out.data() : nullptr;
    for (std::size_t l = from; l < to; ++l) {
        const double o = Shared ? out[l] : 1.0, i = Shared ? in[l] : 1.0;
        const double c = flops[l] * o * samples * per_flop;
        const double m = ((inputs[l] * i + outputs[l] * o) * samples + weights[l] * o) * per_byte;
        times[l] = (Overlap ? std::max(c, m) : c + m) + launch * active[l];
    }
    double total = 0;
    for (std::size_t l = from; l < to; ++l) total += times[l];
    return total;
}

}  // namespace

PassTotals price_passes(const Work& work, int from, int to, double samples, const Shares& shares, const DeviceRates& rates, PassTimes& times) {
    const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
    std::array<double, 3> total{};
    for (std::size_t p = 0; p < 3; ++p) {
        const PassWork& w = work.pass[p];
        double* t = times.pass[p].data();
        if (shares.out.empty())
            total[p] = rates.overlap_memory ? price<true, false>(w, a, b, samples, shares, rates, t) : price<false, false>(w, a, b, samples, shares, rates, t);
        else
            total[p] = rates.overlap_memory ? price<true, true>(w, a, b, samples, shares, rates, t) : price<false, true>(w, a, b, samples, shares, rates, t);
    }
    return {total[0], total[1], total[2]};
}

Seconds price_update(double parameters, int operations, const UpdateCost& cost, const DeviceRates& rates) {
    if (parameters <= 0) return Seconds{0};
    DeviceRates without_launch = rates;
    without_launch.launch = Seconds{0};
    return without_launch.price(Flops{cost.flops * parameters}, Bytes{cost.bytes * parameters}) + rates.launch * operations;
}

}  // namespace scalescope
