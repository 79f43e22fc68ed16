// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "core/network/kind.hpp"
#include "core/pricing/rates.hpp"
#include "core/work/work.hpp"

namespace scalescope {

/// The products of a pass of a layer, one after the other.
struct ProductPass {
    std::array<ProductShape, 4> shapes;
    int count = 0;
    Bytes beside{0};                      ///< that the pass moves beside those of the products
    std::optional<AttentionShape> fused;  ///< in place of products
};
/// For `samples` samples and with what a rank has of the layer.
ProductPass product_pass(const Work& work, int layer, Pass pass, double samples, const LayerShares& shares);
/// Whether the layer is priced by the shapes of its products.
bool by_shape(const Work& work, std::size_t l, const DeviceRates& rates);
/// Rates of the layer's products; nullptr where they have none.
inline const ProductRates* product_rates_of(const Work& work, std::size_t l, const DeviceRates& rates) {
    const auto& of = work.is_narrow(l) ? rates.narrow_products : rates.products;
    return of ? &*of : nullptr;
}
/// With start-up, which is the longer of the kernel's own and of the one that was set.
Seconds product_seconds(const ProductPass& pass, double operations, const ProductRates* products,
                        const DeviceRates& rates);
Seconds start_of(const ProductPass& pass, const ProductRates* products, const DeviceRates& rates);

/// Seconds of each pass of each layer, by position.
struct PassTimes {
    std::array<std::vector<double>, 3> pass;
    std::vector<double> part;  ///< of Work::part
    /// Of products: which shares of which layer were priced last, for all that are like it.
    struct Known {
        std::int64_t call = 0;
        int layer = 0;
    };
    std::vector<Known> known;
    std::int64_t calls = 0;
    void resize(int layers) {
        for (auto* p : {&pass[0], &pass[1], &pass[2], &part}) p->assign(static_cast<std::size_t>(layers), 0.0);
        known.assign(static_cast<std::size_t>(layers), {});
    }
};

/// Seconds of all layers of a range.
struct PassTotals {
    double forward = 0, grad_input = 0, grad_weights = 0;
    double recompute = 0;  ///< forward passes that the backward pass runs once more
    double backward() const { return grad_input + grad_weights + recompute; }
};

/// Seconds of a layer's forward pass, or a part of it, that the backward pass runs once more.
inline double recompute_of(const Work& work, const PassTimes& times, std::size_t l) {
    if (work.again.empty() || !work.again[l].any()) return 0.0;
    return work.again[l].all ? times.pass[0][l] : times.part[l];
}
/// Seconds of the backward pass of one layer, with the forward pass that it runs once more.
inline double backward_of(const Work& work, const PassTimes& times, std::size_t l) {
    return times.pass[1][l] + times.pass[2][l] + recompute_of(work, times, l);
}

/// LayerShares by position. Empty spans mean "everything whole".
struct Shares {
    std::span<const double> flops, in, out, weights, experts = {}, within = {}, kept = {};
    /// Of layers that are cut along their outputs: these scale the weights and the arithmetic too.
    static Shares of_outputs(std::span<const double> in, std::span<const double> out) { return {out, in, out, out}; }
    LayerShares of(std::size_t l) const {
        return {flops[l],
                in[l],
                out[l],
                weights[l],
                experts.empty() ? 0.0 : experts[l],
                within.empty() ? 1.0 : within[l],
                kept.empty() ? 1.0 : kept[l]};
    }
};

/// Seconds of one pass of a convolution by the cheapest possible method within the workspace limit: as a matrix
/// product, whose price is `gemm`, or by Winograd's or an FFT, plain or tiled. For `samples` samples and `filters` of
/// the layer's output channels (fewer when they are divided over workers). The others need stride 1, no dilation, no
/// groups and a filter larger than 1×1; by symmetry the forward pass and both gradients cost the same: each transforms
/// two of {input, filter, output} and transforms the third back.
///
/// Winograd F(2×2, 3×3): 16 products for each 2×2 output tile instead of 36, transforms of 32, 28 and 24 operations a
/// tile for input, filter and output (Lavin and Gray, CVPR 2016), transformed tensors written and read once. FFT: real
/// transforms of the next power of two L over the padded image, 5·L²·log2 L operations each, half spectra of L·(L/2 +
/// 1) complex numbers, 8 operations per complex multiply-add, spectra written and read once. Tiled FFT: the same with L
/// = 32 over tiles that overlap by the filter. PALEO's own FFT prices (core/paleo/price.cpp) count 4 operations per
/// product and full spectra and forget some terms; they live in the paleo room only.
Seconds cheapest_convolution(Seconds gemm, const ConvolutionGeometry& g, double filters, double samples,
                             double element_bytes, const DeviceRates& rates);

/// Sets PassWork::priced of the layers that have a rate of their own.
void set_own_rates(Work& work, const DeviceRates& rates);

/// Prices the layers [from, to) for `samples` samples into `times`; the hot loop of every strategy. Adds nothing
/// outside the range. Totals are summed in the order of the layers.
PassTotals price_passes(const Work& work, int from, int to, double samples, const Shares& shares,
                        const DeviceRates& rates, PassTimes& times);

/// All passes of one layer, as matrix products where it is a convolution.
Seconds price_layer(const Work& work, int layer, double samples, const LayerShares& shares, const DeviceRates& rates);

/// Seconds to update `parameters` parameters in `operations` operations.
inline Seconds price_update(double parameters, int operations, const UpdateCost& cost, const DeviceRates& rates) {
    if (parameters <= 0) return Seconds{0};
    const double own = parameters * (1 - cost.on_host);
    return rates.without_start(Flops{cost.flops * own}, Bytes{cost.bytes * own}) +
           cost.host * (parameters * cost.on_host) + rates.launch * operations;
}

}  // namespace scalescope
