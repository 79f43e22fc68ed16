// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pricing/pass_times.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "core/base/checked.hpp"

namespace scalescope {
namespace {

enum class ConvolutionMethod { winograd, fft, tiled_fft };

/// Arithmetic, traffic and extra memory of one pass.
struct ConvolutionCost {
    Flops flops{0};
    Bytes bytes{0}, workspace{0};
};

/// Transform-based convolution over `tiles` tiles: two tensors in, one out, products between all channels.
ConvolutionCost transform_cost(double samples, double in_c, double filters, double tiles, double transform_flops,
                               double spectrum_bytes, double product_flops, double plain_bytes) {
    const double in = samples * tiles * in_c, out = samples * tiles * filters, weights = in_c * filters;
    ConvolutionCost c;
    c.flops = Flops{(in + out + weights) * transform_flops + in * filters * product_flops};
    c.workspace = Bytes{(in + out + weights) * spectrum_bytes};
    c.bytes = Bytes{plain_bytes} + 2.0 * c.workspace;
    return c;
}

/// Nothing where the method cannot be used.
std::optional<ConvolutionCost> convolution_cost(ConvolutionMethod method, const ConvolutionGeometry& g, double filters,
                                                double samples, double element_bytes) {
    const auto d = [](std::int64_t v) { return static_cast<double>(v); };
    const double kernel = d(g.kernel_d) * d(g.kernel_h) * d(g.kernel_w);
    const double plain =
        element_bytes *
        (samples * (d(g.in_d) * d(g.in_h) * d(g.in_w) * d(g.in_c) + d(g.out_d) * d(g.out_h) * d(g.out_w) * filters) +
         kernel * d(g.in_c / g.groups) * filters);
    if (!g.flat() || g.transposed || g.groups != 1 || g.stride_h != 1 || g.stride_w != 1 || g.dilation_h != 1 ||
        g.dilation_w != 1 || kernel <= 1)
        return std::nullopt;
    if (method == ConvolutionMethod::winograd) {
        if (g.kernel_h != 3 || g.kernel_w != 3) return std::nullopt;
        const double tiles = d(ceil_div(g.out_h, 2)) * d(ceil_div(g.out_w, 2));
        // 32, 28 and 24 operations per tile for the three tensors: counted with their mean, since the roles rotate
        return transform_cost(samples, d(g.in_c), filters, tiles, 28, 16 * element_bytes, 32, plain);
    }
    std::int64_t length = 32;
    double tiles = 1;
    if (method == ConvolutionMethod::tiled_fft) {
        if (g.kernel_h >= length || g.kernel_w >= length) return std::nullopt;
        tiles = d(ceil_div(g.out_h, length - g.kernel_h + 1)) * d(ceil_div(g.out_w, length - g.kernel_w + 1));
    } else {
        const auto side =
            std::max({g.in_h + g.pad_top + g.pad_bottom, g.in_w + g.pad_left + g.pad_right, g.kernel_h, g.kernel_w});
        length = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(side)));
    }
    const double log2_length = static_cast<double>(std::bit_width(static_cast<std::uint64_t>(length)) - 1);
    const double spectrum = d(length) * (d(length) / 2 + 1);
    const double fp = std::max(4.0, element_bytes);  // transforms keep at least single precision
    return transform_cost(samples, d(g.in_c), filters, tiles, 5 * d(length) * d(length) * log2_length,
                          2 * fp * spectrum, 8 * spectrum, plain);
}

}  // namespace

Seconds cheapest_convolution(Seconds gemm, const ConvolutionGeometry& g, double filters, double samples,
                             double element_bytes, const DeviceRates& rates) {
    Seconds best = gemm;
    for (const ConvolutionMethod method :
         {ConvolutionMethod::winograd, ConvolutionMethod::fft, ConvolutionMethod::tiled_fft})
        if (const auto c = convolution_cost(method, g, filters, samples, element_bytes);
            c && c->workspace <= rates.workspace)
            best = std::min(best, rates.price(c->flops, c->bytes));
    return best;
}

}  // namespace scalescope
