// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/network/kind.hpp"
#include "core/pricing/rates.hpp"
#include "core/work/work.hpp"

namespace scalescope {

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

}  // namespace scalescope
