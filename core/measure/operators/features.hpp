// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>

#include "core/measure/operators/times.hpp"

namespace scalescope::operators {

enum class OperatorKind { matmul, convolution, elementwise };

inline constexpr std::size_t most_features = 26;

/// What a correction looks at: logarithms of ratios and dimensions, without units, and the model's own time.
struct Features {
    std::array<double, most_features> values{};
    std::size_t count = 0;
    double log_base = 0;  ///< ln of the uncorrected time in seconds, launch included
};

/// Does not allocate. The shape must be usable.
Features features_of(const Matmul& shape, const Chip& chip, Pass pass = Pass::forward);
/// The uncorrected time is the tile model's, too.
Features features_of(const Convolution& shape, const Chip& chip, Pass pass = Pass::forward);

Features features_of(const Elementwise& shape, const Chip& chip, Pass pass = Pass::forward);

std::size_t feature_count(OperatorKind kind);

}  // namespace scalescope::operators
