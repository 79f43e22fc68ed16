// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/base/problem.hpp"
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

/// A measured operator, as a fit sees it.
struct Sample {
    Features features;
    double log_seconds = 0;
    std::size_t device = 0;  ///< from 0, without gaps
};

/// What measurements say the model is wrong by: ln(time) = ln(base) + level + slopes · (x − mean)/scale. Devices have
/// levels of their own and share the slopes. The slopes' part is at most a factor of two, either way, and fades beyond
/// the features that were seen.
struct Correction {
    std::size_t points = 0;
    std::vector<double> levels;  ///< of the devices measured
    double level = 0;            ///< of any other: their mean, the nearer to 0 the more they differ (James and Stein)
    double ridge = 0;            ///< that cross-validation chose; infinite: levels alone
    double deviation = 0;  ///< of ln(measured/predicted) over points left out of the fit; with few, over all points
    std::vector<double> mean, scale, slope, low, high;  ///< one for each feature; the first is 1 and has no slope

    bool operator==(const Correction&) const = default;
};

/// Least absolute deviations by iteratively re-weighted least squares, with standardised features and a ridge prior at
/// no correction. The same bits for the same samples. With fewer than a dozen, levels alone. A problem if there is no
/// sample.
Result<Correction> fit_correction(std::span<const Sample> samples);
/// One factor for each device: the median of measured over predicted.
Correction levels_of(std::span<const Sample> samples);

struct Corrected {
    Seconds time;
    bool inside = true;  ///< of the features that were seen
};
/// On a device with this level. Does not allocate.
Corrected corrected(const Features& features, const Correction& correction, double level);
/// On a device that was not measured.
inline Corrected corrected(const Features& features, const Correction& correction) {
    return corrected(features, correction, correction.level);
}

/// Errors of predictions, as shares of what was measured.
struct Errors {
    std::size_t points = 0;
    double mean = 0, median = 0;
};
Errors errors_of(std::vector<double> absolute);

}  // namespace scalescope::operators
