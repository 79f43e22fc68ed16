// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/network/kind.hpp"
#include "core/pricing/rates.hpp"
#include "core/work/work.hpp"

namespace scalescope {

/// Ways to compute a convolution. Matrix product is always possible; the others need stride 1, no dilation, no groups
/// and a filter larger than 1×1.
enum class ConvolutionMethod { gemm, winograd, fft, tiled_fft };
std::string_view name_of(ConvolutionMethod m);

/// Arithmetic, traffic and extra memory of one pass by one method. By symmetry the forward pass and both gradients cost
/// the same: each transforms two of {input, filter, output} and transforms the third back.
struct ConvolutionCost {
    Flops flops{0};
    Bytes bytes{0};
    Bytes workspace{0};
    bool possible = false;
};

/// For `samples` samples and `filters` of the layer's output channels (fewer when they are divided over workers).
///
/// Winograd F(2×2, 3×3): 16 products for each 2×2 output tile instead of 36, transforms of 32, 28 and 24 operations a
/// tile for input, filter and output (Lavin and Gray, CVPR 2016), transformed tensors written and read once. FFT: real
/// transforms of the next power of two L over the padded image, 5·L²·log2 L operations each, half spectra of L·(L/2 +
/// 1) complex numbers, 8 operations per complex multiply-add, spectra written and read once. Tiled FFT: the same with L
/// = 32 over tiles that overlap by the filter. PALEO's own FFT prices (core/paleo/price.cpp) count 4 operations per
/// product and full spectra and forget some terms; they live in the paleo room only.
ConvolutionCost convolution_cost(ConvolutionMethod method, const ConvolutionGeometry& g, double filters, double samples,
                                 double element_bytes);

struct ConvolutionChoice {
    ConvolutionMethod method = ConvolutionMethod::gemm;
    Seconds time{0};
};
/// The cheapest possible method within the workspace limit; `gemm` is the price of the plain matrix product.
ConvolutionChoice cheapest_convolution(Seconds gemm, const ConvolutionGeometry& g, double filters, double samples,
                                       double element_bytes, const DeviceRates& rates);

}  // namespace scalescope
