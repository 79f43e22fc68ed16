// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/paleo/price.hpp"

#include <cmath>

namespace scalescope::paleo {

namespace {

/// Sums up what the steps of an FFT convolution compute and move, each with its own floor of a clock tick.
class FftCost {
public:
    explicit FftCost(const Rates& rates) : rates_(rates) {}
    void compute(double times, double flops) {
        flops_ += times * flops;
        compute_ += times * rates_.compute(flops);
    }
    void move(double times, double bytes) {
        bytes_ += times * bytes;
        memory_ += times * rates_.move(bytes);
    }
    PassCost cost() const { return {Flops{flops_}, Bytes{bytes_}, Seconds{compute_}, Seconds{memory_}}; }

private:
    const Rates& rates_;
    double flops_ = 0.0, bytes_ = 0.0, compute_ = 0.0, memory_ = 0.0;
};

}  // namespace

Rates make_rates(const Method& method, const Setup& setup, FetchOver over) {
    const auto& c = method.corrections;
    const double gigabyte = c.decimal_units ? 1e9 : 1073741824.0;
    const double ppp_memory = c.memory_percent ? setup.ppp_memory : setup.ppp_compute;
    const bool network = over == FetchOver::network || c.network_fetch;
    const double fetch_gb = network ? setup.link.gbit_per_s / 8.0 : setup.device.memory_gb_per_s;
    Rates rates;
    rates.tick = c.no_tick ? 0.0 : 1e-6 / setup.device.clock_mhz;
    rates.per_flop = 1.0 / (1e9 * setup.device.peak_gflops * setup.ppp_compute);
    rates.per_byte = 1.0 / (gigabyte * setup.device.memory_gb_per_s * ppp_memory);
    rates.per_update_flop = 1.0 / (1e9 * setup.device.peak_gflops * (c.update_percent ? setup.ppp_compute : 1.0));
    rates.per_update_byte = 1.0 / (gigabyte * setup.device.memory_gb_per_s * (c.update_percent ? ppp_memory : 1.0));
    rates.per_fetched_byte = 1.0 / (gigabyte * fetch_gb * setup.ppp_communication);
    return rates;
}

Seconds LayerCost::forward(bool pipeline) const {
    const auto& f = passes[index(Pass::forward)];
    const Seconds memory = f.memory + fetch;
    return pipeline ? std::max(f.compute, memory) : f.compute + memory;
}

Seconds LayerCost::backward(bool pipeline) const {
    const auto &d = passes[index(Pass::data_gradient)], &w = passes[index(Pass::filter_gradient)];
    const Seconds compute = d.compute + w.compute;
    const Seconds memory = d.memory + w.memory + fetch;
    return pipeline ? std::max(compute, memory) : compute + memory;
}

PassCost price_fft(const Convolution& convolution, bool tiled, const Rates& rates, double batch) {
    Convolution c = convolution;
    (c.batch_is_in ? c.in : c.n) *= batch;
    const double a = std::max(c.h + 2 * c.ph, c.kh), b = std::max(c.w + 2 * c.pw, c.kw);
    const double tiles = tiled ? std::ceil(c.h / 32.0) * std::ceil(c.w / 32.0) : 1.0;
    const double size = tiled ? 1024.0 : a * b, side = tiled ? 32.0 : std::max(a, b);
    const double length = std::pow(2.0, std::ceil(std::log(std::sqrt(size)) / std::log(2.0)));
    const bool line = c.kh == 1 || c.kw == 1;
    const double back = 10.0 * length * length * (std::log(length) / std::log(2.0)) * (line ? 0.5 : 1.0);
    const double there = back / 2.0;
    const double spectrum = line ? side : size;
    FftCost cost(rates);
    cost.compute(tiles, c.n * c.in * there);
    cost.compute(tiles, 4.0 * c.n * c.in * c.out * size);
    cost.compute(tiles, c.n * c.out * back);
    cost.compute(1.0, c.in * c.out * there);
    cost.move(tiles, 4.0 * c.n * c.in * size);
    cost.move(2.0 * tiles, 8.0 * c.n * c.in * size);
    cost.move(tiles, 8.0 * c.n * c.out * size);
    // PALEO counts the result once, however many tiles it is made of.
    cost.move(1.0, 8.0 * c.n * c.out * size);
    cost.move(1.0, 4.0 * c.n * c.oh * c.ow * c.out);
    cost.move(1.0, 4.0 * c.in * c.out * size);
    cost.move(1.0, 8.0 * c.in * c.out * spectrum);
    cost.move(tiles, 8.0 * c.in * c.out * spectrum);
    return cost.cost();
}

PassCost price_pass(const Plan& plan, const PassPlan& pass, const Rates& rates, double batch) {
    if (pass.convolution >= 0)
        return price_fft(plan.convolutions[static_cast<std::size_t>(pass.convolution)],
                         pass.algorithm == Algorithm::fft_tiled, rates, batch);
    PassCost cost;
    const double flops = pass.flops.at(batch);
    cost.flops = Flops{flops};
    cost.compute = Seconds{rates.compute(flops)};
    double bytes = 0.0, memory = 0.0;
    for (std::size_t i = 0; i < pass.transfer_count; ++i) {
        const double amount = pass.transfers[i].at(batch);
        bytes += amount;
        memory += rates.move(amount);
    }
    cost.bytes = Bytes{bytes};
    cost.memory = Seconds{memory};
    return cost;
}

LayerCost price_layer(const Plan& plan, const LayerPlan& layer, const Rates& rates, double batch) {
    LayerCost cost;
    for (std::size_t i = 0; i < pass_count; ++i) cost.passes[i] = price_pass(plan, layer.passes[i], rates, batch);
    double fetch = 0.0;
    for (int i = layer.first_fetch; i < layer.last_fetch; ++i) {
        const auto& f = plan.fetches[static_cast<std::size_t>(i)];
        fetch += rates.fetch(f.bytes.at(batch), f.halvings);
    }
    cost.fetch = Seconds{fetch};
    return cost;
}

void price_layers(const Plan& plan, const Rates& rates, double batch, std::vector<LayerCost>& costs) {
    costs.resize(plan.layers.size());
    for (std::size_t i = 0; i < costs.size(); ++i) costs[i] = price_layer(plan, plan.layers[i], rates, batch);
}

PassCost price_update(const Rates& rates, double parameters) {
    const double flops = 2.0 * parameters, bytes = 4.0 * parameters;
    PassCost cost;
    cost.flops = Flops{flops};
    cost.bytes = Bytes{3.0 * bytes};
    cost.compute = Seconds{flops == 0.0 ? 0.0 : std::max(rates.tick, flops * rates.per_update_flop)};
    cost.memory = Seconds{3.0 * std::max(rates.tick, bytes * rates.per_update_byte)};
    return cost;
}

}  // namespace scalescope::paleo
