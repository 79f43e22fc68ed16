// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/operators/chip.hpp"
#include "core/measure/operators/shapes.hpp"

namespace scalescope::operators {

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
