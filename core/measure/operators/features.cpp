// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/operators/correction.hpp"

#include <cmath>

namespace scalescope::operators {
namespace {

double real(std::int64_t v) { return static_cast<double>(v); }
double square(double v) { return v * v; }

template <class... Values>
Features features(const OperatorTime& time, Values... values) {
    return {{values...}, sizeof...(values), std::log(time.total.value)};
}

/// Features speak of the launch as a share of the work, whichever launch the chip has.
double launch_share(Seconds work, const Chip& chip) { return std::log1p(chip.launch / work); }

double memory_seconds(Bytes bytes, const Chip& chip) {
    return (bytes / (chip.memory * Fraction{chip.memory_reached})).value;
}

}  // namespace

Features features_of(const Matmul& shape, const Chip& chip, Pass pass) {
    const OperatorTime time = time_of(shape, chip, pass);
    const Matmul p = product_of(shape, pass);
    const double plain = (Flops{2.0 * real(p.batch) * real(p.m) * real(p.n) * real(p.k)} / chip.peak).value;
    const double away = std::log(memory_seconds(traffic_of(shape, chip), chip) / time.arithmetic.value);
    const double m = std::log(real(p.m)), n = std::log(real(p.n)), k = std::log(real(p.k)), q = std::log(real(p.batch));
    const double batched = p.batch > 1 ? 1.0 : 0.0, fill = std::log(time.tiles / chip.processors);
    return features(time, 1.0, std::log(time.arithmetic.value / plain), away, std::abs(away), square(away),
                    launch_share(time.total - chip.launch, chip), m, n, k, q, batched, fill, square(fill), square(m),
                    square(n), square(k), m * n, batched * m, batched * n, batched * k);
}

Features features_of(const Convolution& shape, const Chip& chip, Pass pass) {
    const OperatorTime time = time_of(shape, chip, pass);
    const Matmul p = product_of(shape, pass);
    const double plain = (Flops{2.0 * real(p.batch) * real(p.m) * real(p.n) * real(p.k)} / chip.peak).value;
    const double away = std::log(plain / memory_seconds(traffic_of(shape, chip), chip));
    const double m = std::log(real(p.m)), n = std::log(real(p.n)), k = std::log(real(p.k));
    const double tiles = real(p.batch) * std::ceil(real(p.m) / 128.0) * std::ceil(real(p.n) / 64.0);
    const double fill = std::log(tiles / chip.processors);
    const double waves = std::ceil(tiles / chip.processors);
    const bool three = shape.kernel_height == 3 && shape.kernel_width == 3;
    const double one = shape.kernel_height == 1 && shape.kernel_width == 1 ? 1.0 : 0.0;
    const double three1 = three && shape.stride_height == 1 ? 1.0 : 0.0;
    const double three2 = three && shape.stride_height == 2 ? 1.0 : 0.0;
    const double five = shape.kernel_height >= 5 ? 1.0 : 0.0;
    return features(time, 1.0, away, std::abs(away), square(away), launch_share(time.total - chip.launch, chip),
                    std::log(tiles / (waves * chip.processors)), m, n, k, std::log(real(shape.channels)),
                    std::log(real(shape.batch)), square(n), square(k), m * n, fill, square(fill), one, three1, three2,
                    five, three1 * m, three1 * n, three1 * k, one * m, one * n, one * k);
}

Features features_of(const Elementwise& shape, const Chip& chip, Pass pass) {
    const OperatorTime time = time_of(shape, chip, pass);
    const double bytes = std::log(traffic_of(shape, chip).value);
    return features(time, 1.0, launch_share(time.memory, chip), bytes, square(bytes));
}

std::size_t feature_count(OperatorKind kind) {
    constexpr std::array<std::size_t, 3> counts{20, most_features, 4};
    return counts[static_cast<std::size_t>(kind)];
}

}  // namespace scalescope::operators
