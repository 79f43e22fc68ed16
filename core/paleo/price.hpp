// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/paleo/plan.hpp"
#include "core/units/units.hpp"

#include <algorithm>
#include <array>
#include <vector>

/// What a plan costs on a machine.
namespace scalescope::paleo {

/// Seconds per unit of work, with the percent of peak in it. `tick` is the least time of a transfer or a computation.
struct Rates {
    double tick = 0.0;
    double per_flop = 0.0;
    double per_byte = 0.0;
    double per_update_flop = 0.0;
    double per_update_byte = 0.0;
    double per_fetched_byte = 0.0;  ///< at the bandwidth before any halving

    double compute(double flops) const { return flops == 0.0 ? 0.0 : std::max(tick, flops * per_flop); }
    double move(double bytes) const { return std::max(tick, bytes * per_byte); }
    double fetch(double bytes, double halvings) const { return std::max(tick, bytes * per_fetched_byte * halvings); }
};

/// Which bandwidth remote inputs travel at.
enum class FetchOver : std::uint8_t { memory, network };

/// With the correction `network_fetch` it is the network whatever `over` says.
Rates make_rates(const Method& method, const Setup& setup, FetchOver over = FetchOver::memory);

/// One pass of one layer, in parts.
struct PassCost {
    Flops flops;  ///< of an FFT: of all its steps
    Bytes bytes;
    Seconds compute;
    Seconds memory;

    Seconds total(bool pipeline = false) const { return pipeline ? std::max(compute, memory) : compute + memory; }
};

struct LayerCost {
    std::array<PassCost, pass_count> passes;
    Seconds fetch;  ///< input from other devices; once forward and once again backward

    const PassCost& operator[](Pass pass) const { return passes[index(pass)]; }
    Seconds forward(bool pipeline) const;
    /// Both gradients; with `pipeline` the larger of all their computing and all their memory time, as in PALEO.
    Seconds backward(bool pipeline) const;
};

PassCost price_pass(const Plan& plan, const PassPlan& pass, const Rates& rates, double batch);
LayerCost price_layer(const Plan& plan, const LayerPlan& layer, const Rates& rates, double batch);

/// All layers, in the order of Plan::layers; `costs` is resized and reused.
void price_layers(const Plan& plan, const Rates& rates, double batch, std::vector<LayerCost>& costs);

/// An FFT convolution as PALEO prices it. `batch` replaces the dimension that stands for the batch.
PassCost price_fft(const Convolution& convolution, bool tiled, const Rates& rates, double batch);

/// The weight update: 2 FLOPs and three transfers of 4 bytes a parameter. At full peak, unless corrected.
PassCost price_update(const Rates& rates, double parameters);

}  // namespace scalescope::paleo
