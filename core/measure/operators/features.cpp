// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/operators/features.hpp"

#include <cmath>

namespace scalescope::operators {
namespace {

constexpr std::array<std::string_view, 20> matmul_names{"one",
                                                        "tiles over peak",
                                                        "memory over tiles",
                                                        "distance from the ridge",
                                                        "its square",
                                                        "launch",
                                                        "m",
                                                        "n",
                                                        "k",
                                                        "batch",
                                                        "batched",
                                                        "tiles per multiprocessor",
                                                        "its square ",
                                                        "m squared",
                                                        "n squared",
                                                        "k squared",
                                                        "m times n",
                                                        "batched, m",
                                                        "batched, n",
                                                        "batched, k"};
constexpr std::array<std::string_view, 26> convolution_names{"one",
                                                             "arithmetic over memory",
                                                             "distance from the ridge",
                                                             "its square",
                                                             "launch",
                                                             "wave efficiency",
                                                             "m",
                                                             "n",
                                                             "k",
                                                             "channels",
                                                             "batch",
                                                             "n squared",
                                                             "k squared",
                                                             "m times n",
                                                             "tiles per multiprocessor",
                                                             "its square ",
                                                             "1x1",
                                                             "3x3 stride 1",
                                                             "3x3 stride 2",
                                                             "5x5 or larger",
                                                             "3x3 stride 1, m",
                                                             "3x3 stride 1, n",
                                                             "3x3 stride 1, k",
                                                             "1x1, m",
                                                             "1x1, n",
                                                             "1x1, k"};
constexpr std::array<std::string_view, 4> elementwise_names{"one", "launch", "bytes", "its square"};
static_assert(convolution_names.size() == most_features);

double real(std::int64_t v) { return static_cast<double>(v); }
double square(double v) { return v * v; }

class Filling {
public:
    explicit Filling(Features& features) : features_(features) {}
    Filling& operator<<(double value) {
        features_.values[features_.count++] = value;
        return *this;
    }

private:
    Features& features_;
};

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
    Features f;
    f.log_base = std::log(time.total.value);
    Filling(f) << 1.0 << std::log(time.arithmetic.value / plain) << away << std::abs(away) << square(away)
               << launch_share(time.total - chip.launch, chip) << m << n << k << q << batched << fill << square(fill)
               << square(m) << square(n) << square(k) << m * n << batched * m << batched * n << batched * k;
    return f;
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
    Features f;
    f.log_base = std::log(time.total.value);
    Filling(f) << 1.0 << away << std::abs(away) << square(away) << launch_share(time.total - chip.launch, chip)
               << std::log(tiles / (waves * chip.processors)) << m << n << k << std::log(real(shape.channels))
               << std::log(real(shape.batch)) << square(n) << square(k) << m * n << fill << square(fill) << one
               << three1 << three2 << five << three1 * m << three1 * n << three1 * k << one * m << one * n << one * k;
    return f;
}

Features features_of(const Elementwise& shape, const Chip& chip, Pass pass) {
    const OperatorTime time = time_of(shape, chip, pass);
    const double bytes = std::log(traffic_of(shape, chip).value);
    Features f;
    f.log_base = std::log(time.total.value);
    Filling(f) << 1.0 << launch_share(time.memory, chip) << bytes << square(bytes);
    return f;
}

std::span<const std::string_view> feature_names(OperatorKind kind) {
    if (kind == OperatorKind::matmul) return matmul_names;
    if (kind == OperatorKind::elementwise) return elementwise_names;
    return convolution_names;
}

}  // namespace scalescope::operators
