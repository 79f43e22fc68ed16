// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/pricing/rates.hpp"
#include "core/work/work.hpp"

namespace scalescope {

/// Seconds of each pass of each layer, by position.
struct PassTimes {
    std::array<std::vector<double>, 3> pass;
    void resize(int layers) {
        for (auto& p : pass) p.assign(static_cast<std::size_t>(layers), 0.0);
    }
};

/// Seconds of all layers of a range.
struct PassTotals {
    double forward = 0, grad_input = 0, grad_weights = 0;
    double recompute = 0;  ///< forward passes that the backward pass runs once more
    double backward() const { return grad_input + grad_weights + recompute; }
};

/// Seconds of a layer's forward pass that the backward pass runs once more.
inline double recompute_of(const Work& work, const PassTimes& times, std::size_t l) {
    return !work.again.empty() && work.again[l] != 0 ? times.pass[0][l] : 0.0;
}
/// Seconds of the backward pass of one layer, with the forward pass that it runs once more.
inline double backward_of(const Work& work, const PassTimes& times, std::size_t l) {
    return times.pass[1][l] + times.pass[2][l] + recompute_of(work, times, l);
}

/// LayerShares by position. Empty spans mean "everything whole".
struct Shares {
    std::span<const double> flops, in, out, weights, experts = {};
    /// Of layers that are cut along their outputs: these scale the weights and the arithmetic too.
    static Shares of_outputs(std::span<const double> in, std::span<const double> out) {
        return {out, in, out, out, {}};
    }
    LayerShares of(std::size_t l) const {
        return {flops[l], in[l], out[l], weights[l], experts.empty() ? 0.0 : experts[l]};
    }
};

/// Prices the layers [from, to) for `samples` samples into `times`; the hot loop of every strategy. Adds nothing
/// outside the range. Totals are summed in the order of the layers.
PassTotals price_passes(const Work& work, int from, int to, double samples, const Shares& shares,
                        const DeviceRates& rates, PassTimes& times);

/// All passes of one layer, as matrix products where it is a convolution.
Seconds price_layer(const Work& work, int layer, double samples, const LayerShares& shares, const DeviceRates& rates);

/// Seconds to update `parameters` parameters in `operations` operations.
inline Seconds price_update(double parameters, int operations, const UpdateCost& cost, const DeviceRates& rates) {
    if (parameters <= 0) return Seconds{0};
    return rates.without_start(Flops{cost.flops * parameters}, Bytes{cost.bytes * parameters}) +
           rates.launch * operations;
}

}  // namespace scalescope
