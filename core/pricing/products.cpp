// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pricing/products.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace scalescope {
namespace {

constexpr const char* fitted_source =
    "Fitted for this project to 700 of its products, measured with TensorRT-LLM; judged on the others";

constexpr ProductFamily ampere{.name = "A100, 16 bits",
                               .source = fitted_source,
                               .reached = 1.01,
                               .edge = 13.2,
                               .ramp = 178,
                               .launch = microseconds(3.3),
                               .training_launch = microseconds(3.3),
                               .memory = 0.76,
                               .cache = 14.5,
                               .shared = 17.6,
                               .last_wave = 0.44,
                               .clock = 0,
                               .training_clock = 0,
                               .sustained = 0.87,
                               .in_training = 0.744};
constexpr ProductFamily hopper{.name = "H100, 16 bits",
                               .source = fitted_source,
                               .reached = 1.00,
                               .edge = 5.5,
                               .ramp = 167,
                               .launch = microseconds(2.6),
                               .training_launch = microseconds(2.6),
                               .memory = 0.82,
                               .cache = 5.05,
                               .shared = 14.2,
                               .last_wave = 0.08,
                               .clock = 0.17,
                               .training_clock = 0.17,
                               .sustained = 0.80,
                               .in_training = 0.669};
/// The launch alone holds the casts of the operands; within a step those are operations of their own.
constexpr ProductFamily hopper_fp8{.name = "H100, fp8",
                                   .source = fitted_source,
                                   .reached = 0.955,
                                   .edge = 28,
                                   .ramp = 310,
                                   .launch = microseconds(12.5),
                                   .training_launch = microseconds(4),
                                   .memory = 0.80,
                                   .cache = 3.53,
                                   .shared = 3.56,
                                   .last_wave = 0.42,
                                   .clock = 0,
                                   .training_clock = 0.05,
                                   .sustained = 0.80,
                                   .in_training = 0.669};

struct Tile {
    double rows, columns;
};
constexpr std::array<Tile, 4> tiles{{{256, 128}, {128, 256}, {128, 128}, {64, 64}}};
constexpr double least_part = 128;  ///< of the contraction

/// NVIDIA's have them since Volta; elsewhere a peak says so that the halved width does not explain.
bool has_matrix_units(const Device& device, Precision multiplied) {
    if (bytes_per_element(multiplied) > 2) return false;
    if (const int major = generation_of(device); major > 0) return major >= 7;
    const auto peak = device.peak_at(multiplied), vector = device.peak_at(Precision::fp32);
    return peak && vector && *peak / *vector > 2.5;
}

/// Parts that end just above a whole number did so in rounding.
double whole(double x) { return std::ceil(x - 1e-9); }

}  // namespace

int generation_of(const Device& device) {
    int major = 0;
    const std::string& text = device.compute_capability;
    if (device.vendor == "NVIDIA") std::from_chars(text.data(), text.data() + text.size(), major);
    return major;
}

const ProductFamily& product_family(const Device& device, Precision multiplied) {
    if (traits_of(multiplied).is_recipe()) return hopper_fp8;
    const int major = generation_of(device);
    return major > 0 && major < 9 ? ampere : hopper;
}

std::optional<ProductRates> product_rates(const Device& device, Precision precision, bool training) {
    const auto peak = device.peak_at(precision);
    if (!peak || !device.multiprocessors || *device.multiprocessors < 1 || !has_matrix_units(device, precision))
        return std::nullopt;
    ProductRates rates;
    rates.family = &product_family(device, precision);
    rates.memory = device.memory_bandwidth;
    rates.processors = static_cast<double>(*device.multiprocessors);
    const PrecisionTraits& t = traits_of(precision);
    rates.element_bytes = t.is_recipe() ? t.narrow_bytes : t.bytes;
    rates.written_bytes = t.bytes;
    rates.training = training;
    rates.slower = training ? training_slower : 1.0;
    const ProductFamily& wide = product_family(device, t.elements);
    double level = 1;
    if (device.sustained_matrix_fraction) level = *device.sustained_matrix_fraction / wide.sustained;
    // What was measured within steps is of products in 16 bits.
    if (training && device.training_matrix_fraction && !t.is_recipe())
        level = *device.training_matrix_fraction / wide.in_training;
    rates.peak = *peak * Fraction{level};
    return rates;
}

ProductTime product_time(const ProductShape& p, const ProductRates& rates) {
    const ProductFamily& f = *rates.family;
    const double q = rates.processors, memory = rates.memory.value,
                 a_tile = 2 * q / (rates.peak.value * f.reached) * rates.slower,
                 once = p.count * (rates.element_bytes * (p.m * p.k + p.k * p.n) + rates.written_bytes * p.m * p.n);
    ProductTime best;
    double least = std::numeric_limits<double>::infinity();
    for (const Tile& tile : tiles) {
        const double count = p.count * whole(p.m / tile.rows) * whole(p.n / tile.columns),
                     edges = tile.rows + tile.columns, area = tile.rows * tile.columns,
                     most = std::max(1.0, std::min(std::floor(q / count), std::floor(p.k / least_part)));
        for (const double splits : {1.0, most}) {
            const double part = whole(p.k / splits), full = count * splits / q, one = std::max(1.0, full),
                         waves = one + f.last_wave * (std::max(1.0, whole(full)) - one);
            double arithmetic = waves * a_tile * area * (part + f.ramp) * (1 + f.edge * edges / area);
            arithmetic *= rates.training ? 1 + f.training_clock : 1 + f.clock * arithmetic / (arithmetic + 200e-6);
            const double traffic = once + (splits > 1 ? 4 * p.m * p.n * p.count * splits : 0.0),
                         moved = rates.slower *
                                 std::max({traffic / f.memory,
                                           count * splits * edges * part * rates.element_bytes / f.cache,
                                           waves * edges * part * rates.element_bytes * q / f.shared}) /
                                 memory;
            const double squares = arithmetic * arithmetic, others = moved * moved;
            const double time = std::sqrt(std::sqrt(squares * squares + others * others)) +
                                (splits > 1 ? rates.slower * adding_up.value : 0.0);
            if (time < least) {
                least = time;
                best = {{},
                        Seconds{arithmetic},
                        Seconds{moved},
                        static_cast<int>(tile.rows),
                        static_cast<int>(tile.columns),
                        count * splits,
                        waves,
                        splits,
                        traffic};
            }
            if (most == 1.0) break;
        }
    }
    best.total = Seconds{least} + rates.launch();
    return best;
}

}  // namespace scalescope
