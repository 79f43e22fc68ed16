// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/hardware/device.hpp"

#include <cstdint>

namespace scalescope::operators {

// How long a product of matrices or a convolution takes on a device, from its shape alone.

/// `batch` products C[m×n] = A[m×k]·B[k×n]. A linear layer has m rows (samples times positions), k inputs and n
/// outputs, and a batch of 1.
struct Matmul {
    std::int64_t m = 1, n = 1, k = 1, batch = 1;
    bool operator==(const Matmul&) const = default;
};

/// A two-dimensional convolution as frameworks call it: `batch` × `channels` × `height` × `width`, with `filters` of
/// `kernel_height` × `kernel_width`.
struct Convolution {
    std::int64_t batch = 1, channels = 1, height = 1, width = 1;
    std::int64_t filters = 1, kernel_height = 1, kernel_width = 1;
    std::int64_t stride_height = 1, stride_width = 1, padding_height = 0, padding_width = 0, groups = 1;

    std::int64_t out_height() const { return out(height, kernel_height, stride_height, padding_height); }
    std::int64_t out_width() const { return out(width, kernel_width, stride_width, padding_width); }
    bool depthwise() const { return groups > 1 && groups == channels; }
    bool operator==(const Convolution&) const = default;

private:
    static std::int64_t out(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
        return in + 2 * padding < kernel ? 0 : (in + 2 * padding - kernel) / stride + 1;
    }
};

/// An operator that only reads and writes: element-wise functions, softmax, norms. Elements, in all.
struct Elementwise {
    std::int64_t read = 1, written = 1;
    bool operator==(const Elementwise&) const = default;
};

/// Backward is two products: the gradient of the input and that of the weights.
enum class Pass { forward, input_gradient, weight_gradient };

/// True if every dimension is at least 1, no product of them overflows, and there is output at all. The times below are
/// asked for usable shapes only.
bool usable(const Matmul& shape);
bool usable(const Convolution& shape);
bool usable(const Elementwise& shape);

/// The product that a pass amounts to. Of a convolution it is the implicit one: m = batch · outputs, n =
/// filters/groups, k = kernel · channels/groups, batch = groups.
Matmul product_of(const Matmul& shape, Pass pass);
Matmul product_of(const Convolution& shape, Pass pass);

/// What the times of operators need to know of a device at one precision.
struct Chip {
    FlopsPerSecond peak;          ///< of the unit that the products run on
    BytesPerSecond memory;        ///< the maker's
    double processors = 1;        ///< streaming multiprocessors, or what takes one tile at a time
    double reached = 0.85;        ///< share of the peak that a product of many full tiles reaches (η₀·φ)
    double memory_reached = 0.7;  ///< share of the bandwidth (η_m)
    Seconds launch{10e-6};        ///< of a call, the framework's part included
    double element_bytes = 4;
    bool matrix_units = false;  ///< tensor or matrix units: larger tiles, dimensions padded to multiples of 8
    bool measured = false;      ///< `reached` was measured on this device and kind of unit, not assumed
};

/// The chip of a device of the catalogue. `reached` is the device's sustained fraction, where somebody measured it: of
/// fp32 products for the vector units, of 16-bit ones for the matrix units; else 0.85. A problem if the device has no
/// peak at that precision, or its multiprocessors are unknown.
Result<Chip> chip_of(const Device& device, Precision precision);

/// A block of C that one multiprocessor works out, and how near its inner loop comes to the best one.
struct Tile {
    int rows = 128, columns = 128;
    double reached = 1.0;
};

/// How the product is computed, and how long that takes.
struct OperatorTime {
    Seconds total, arithmetic, memory;  ///< total = max(arithmetic, memory) + launch
    Tile tile;
    double tiles = 0, waves = 0;
    int splits = 1;         ///< parts of the contraction worked out side by side and added up
    bool winograd = false;  ///< of a convolution: by F(2×2, 3×3)
};

/// How much freedom the model has.
struct OperatorRules {
    int most_splits = 32;  ///< of the contraction; 1: never split
    bool winograd = true;  ///< for convolutions of 3×3 with stride 1
};

/// Tiles and waves: t = waves · 2·tm·tn·k / (peak/processors · reached · tile) · (1 + 32/k), the best tile shape,
/// beside the traffic of A, B and C; the longer of them counts, then the launch (docs/decisions/operators.md). Does not
/// allocate. The shape must be usable.
OperatorTime time_of(const Matmul& shape, const Chip& chip, Pass pass = Pass::forward, const OperatorRules& rules = {});
/// The implicit product or Winograd's, whichever is faster; a depthwise convolution is its traffic.
OperatorTime time_of(const Convolution& shape, const Chip& chip, Pass pass = Pass::forward,
                     const OperatorRules& rules = {});

/// Its traffic; another pass of the same operator is another shape.
OperatorTime time_of(const Elementwise& shape, const Chip& chip, Pass pass = Pass::forward,
                     const OperatorRules& rules = {});

/// Plain roofline: max(FLOPs/peak, bytes/bandwidth), nothing else.
Seconds roofline_of(const Matmul& shape, const Chip& chip);
Seconds roofline_of(const Convolution& shape, const Chip& chip);
Seconds roofline_of(const Elementwise& shape, const Chip& chip);

/// Time on `to` over time on `from`. For times of kernels, not of calls, set the launch of both to what a kernel needs
/// at least (2 µs).
template <class Shape>
double ratio(const Shape& shape, const Chip& from, const Chip& to, Pass pass = Pass::forward,
             const OperatorRules& rules = {}) {
    return time_of(shape, to, pass, rules).total / time_of(shape, from, pass, rules).total;
}

/// Bytes that a convolution reads and writes at least: input, filters and output, once each.
Bytes traffic_of(const Convolution& shape, const Chip& chip);
Bytes traffic_of(const Matmul& shape, const Chip& chip);
Bytes traffic_of(const Elementwise& shape, const Chip& chip);

}  // namespace scalescope::operators
