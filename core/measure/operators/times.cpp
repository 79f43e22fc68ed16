// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/operators/times.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <span>

namespace scalescope::operators {

namespace {

/// Elements of a tensor as large as a shape may ask for; times stay far from where doubles lose integers.
constexpr double most_elements = 1e15;

bool fits(std::initializer_list<std::int64_t> dimensions) {
    double product = 1.0;
    for (const std::int64_t d : dimensions) {
        if (d < 1) return false;
        product *= static_cast<double>(d);
    }
    return product <= most_elements;
}

}  // namespace

bool usable(const Matmul& s) {
    return fits({s.batch, s.m, s.n}) && fits({s.batch, s.m, s.k}) && fits({s.batch, s.k, s.n});
}

bool usable(const Convolution& s) {
    if (!fits({s.batch, s.channels, s.height, s.width}) ||
        !fits({s.filters, s.channels, s.kernel_height, s.kernel_width}) ||
        !fits({s.stride_height, s.stride_width, s.groups}) || s.padding_height < 0 || s.padding_width < 0 ||
        s.padding_height > s.kernel_height * 64 || s.padding_width > s.kernel_width * 64)
        return false;
    if (s.channels % s.groups != 0 || s.filters % s.groups != 0) return false;
    // The rows of the product, before it multiplies them: much padding makes more outputs than there are inputs.
    return fits({s.batch, s.out_height(), s.out_width()}) && usable(product_of(s, Pass::forward));
}

bool usable(const Elementwise& s) { return fits({s.read}) && fits({s.written}); }

Matmul product_of(const Matmul& s, Pass pass) {
    switch (pass) {
        case Pass::forward: return s;
        case Pass::input_gradient: return {s.m, s.k, s.n, s.batch};
        case Pass::weight_gradient: return {s.k, s.n, s.m, s.batch};
    }
    return s;
}

Matmul product_of(const Convolution& s, Pass pass) {
    return product_of(Matmul{s.batch * s.out_height() * s.out_width(), s.filters / s.groups,
                             s.channels / s.groups * s.kernel_height * s.kernel_width, s.groups},
                      pass);
}

namespace {

/// NVIDIA's have them since Volta (compute capability 7.0); elsewhere a peak that the halved width does not explain
/// says so.
bool runs_on_matrix_units(const Device& device, Precision precision) {
    if (precision == Precision::fp64 || precision == Precision::fp32) return false;
    if (precision == Precision::tf32) return true;
    const auto& capability = device.compute_capability;
    if (device.vendor == "NVIDIA" && !capability.empty()) {
        int major = 0;
        std::from_chars(capability.data(), capability.data() + capability.size(), major);
        return major >= 7;
    }
    const auto peak = device.peak_at(precision), vector = device.peak_at(Precision::fp32);
    return peak && vector && *peak / *vector > 2.5;
}

}  // namespace

Result<Chip> chip_of(const Device& device, Precision precision) {
    const auto peak = device.peak_at(precision);
    if (!peak)
        return fail(make_error("No " + std::string(name_of(precision)) + " peak is known for " + device.name + ".",
                               "choose another precision, or another device", {}, "device"));
    if (!device.multiprocessors || *device.multiprocessors < 1)
        return fail(make_error("The number of multiprocessors of " + device.name + " is not known.",
                               "add \"multiprocessors\" to the device", {}, "device"));
    Chip chip;
    chip.peak = *peak;
    chip.memory = device.memory_bandwidth;
    chip.processors = static_cast<double>(*device.multiprocessors);
    chip.element_bytes = bytes_per_element(precision);
    chip.matrix_units = runs_on_matrix_units(device, precision);
    const auto sustained = chip.matrix_units ? device.sustained_matrix_fraction : device.sustained_fraction;
    if (sustained) {
        chip.reached = *sustained;
        chip.measured = chip.matrix_units || precision == Precision::fp32;
    }
    return chip;
}

namespace {

constexpr double ramp = 32.0;              ///< steps of the contraction until a tile's pipeline is full (k_h)
constexpr double depthwise_reached = 0.5;  ///< share of the bandwidth of convolutions without products
constexpr double least_part = 64.0;        ///< a split leaves at least so much contraction in each part
constexpr Seconds adding_up{3e-6};         ///< the kernel that adds the parts up

/// Fitted on measured fp32 products (docs/decisions/operators.md).
constexpr std::array<Tile, 5> vector_tiles{
    {{128, 128, 1.0}, {128, 64, 0.92}, {64, 64, 0.8}, {64, 32, 0.62}, {32, 32, 0.45}}};
/// Sizes as libraries have them; the shares are assumed by analogy, the largest tile being what was measured.
constexpr std::array<Tile, 5> matrix_tiles{
    {{256, 128, 1.0}, {128, 256, 1.0}, {128, 128, 0.95}, {128, 64, 0.8}, {64, 64, 0.62}}};

double d(std::int64_t v) { return static_cast<double>(v); }
double padded(std::int64_t v, const Chip& chip) { return chip.matrix_units ? 8.0 * std::ceil(d(v) / 8.0) : d(v); }

Seconds moved(double elements, const Chip& chip) {
    return Bytes{elements * chip.element_bytes} / (chip.memory * Fraction{chip.memory_reached});
}

/// `elements` are those that move: of A, B and C, and whatever comes on top.
OperatorTime product_time(const Matmul& p, const Chip& chip, const OperatorRules& rules, double elements) {
    const std::span<const Tile> shapes = chip.matrix_units ? std::span<const Tile>(matrix_tiles) : vector_tiles;
    const double m = padded(p.m, chip), n = padded(p.n, chip), k = padded(p.k, chip), q = d(p.batch);
    const double speed = chip.peak.value / chip.processors * chip.reached;
    const Seconds memory = moved(elements, chip);
    OperatorTime best;
    best.total = Seconds{std::numeric_limits<double>::infinity()};
    for (const Tile& tile : shapes) {
        const double tiles = q * std::ceil(m / tile.rows) * std::ceil(n / tile.columns);
        const double work = 2.0 * tile.rows * tile.columns / (speed * tile.reached);
        for (int splits = 1; splits <= rules.most_splits; splits *= 2) {
            if (splits > 1 && k < least_part * splits) break;
            const double waves = std::ceil(tiles * splits / chip.processors);
            const double part = std::ceil(k / splits);
            Seconds arithmetic{waves * work * (part + ramp)};
            Seconds traffic = memory;
            if (splits > 1) {  // parts are written beside each other, read, and their sum written
                traffic += moved(m * n * q * splits, chip);
                const Seconds sum = moved(m * n * q * (splits + 1), chip) + adding_up;
                arithmetic += sum;
                traffic += sum;
            }
            const Seconds total = std::max(arithmetic, traffic) + chip.launch;
            if (total < best.total) best = {total, arithmetic, traffic, tile, tiles * splits, waves, splits, false};
            if (splits == 1 && waves > 8.0) break;  // enough tiles as it is
        }
    }
    return best;
}

double elements_of(const Matmul& s) { return d(s.batch) * (d(s.m) * d(s.k) + d(s.k) * d(s.n) + d(s.m) * d(s.n)); }

double elements_of(const Convolution& s) {
    return d(s.batch) *
               (d(s.channels) * d(s.height) * d(s.width) + d(s.filters) * d(s.out_height()) * d(s.out_width())) +
           d(s.filters) * d(s.channels / s.groups) * d(s.kernel_height) * d(s.kernel_width);
}

double products_of(const Matmul& s) { return 2.0 * d(s.batch) * d(s.m) * d(s.n) * d(s.k); }

/// F(2×2, 3×3): 16 products over tiles of 2×2 outputs, which are a batch (Lavin and Gray, CVPR 2016). Transforms are
/// written and read once; by symmetry the gradients cost the same with the roles of the tensors exchanged.
OperatorTime winograd_time(const Convolution& s, const Chip& chip, Pass pass, const OperatorRules& rules) {
    const std::int64_t places = s.batch * ((s.out_height() + 1) / 2) * ((s.out_width() + 1) / 2);
    const Matmul product = product_of(Matmul{places, s.filters, s.channels, 16}, pass);
    OperatorTime time = product_time(product, chip, rules, elements_of(s) + 2.0 * elements_of(product));
    time.winograd = true;
    return time;
}

/// Of an operator that has no product.
OperatorTime traffic_time(Bytes traffic, double reached, const Chip& chip) {
    OperatorTime time;
    time.memory = traffic / (chip.memory * Fraction{reached});
    time.total = time.memory + chip.launch;
    time.waves = time.tiles = 1;
    return time;
}

}  // namespace

OperatorTime time_of(const Matmul& shape, const Chip& chip, Pass pass, const OperatorRules& rules) {
    return product_time(product_of(shape, pass), chip, rules, elements_of(shape));
}

OperatorTime time_of(const Convolution& shape, const Chip& chip, Pass pass, const OperatorRules& rules) {
    if (shape.depthwise()) return traffic_time(traffic_of(shape, chip), depthwise_reached, chip);
    OperatorTime best = product_time(product_of(shape, pass), chip, rules, elements_of(shape));
    if (rules.winograd && shape.kernel_height == 3 && shape.kernel_width == 3 && shape.stride_height == 1 &&
        shape.stride_width == 1 && shape.groups == 1) {
        const OperatorTime other = winograd_time(shape, chip, pass, rules);
        if (other.total < best.total) best = other;
    }
    return best;
}

OperatorTime time_of(const Elementwise& shape, const Chip& chip, Pass, const OperatorRules&) {
    return traffic_time(traffic_of(shape, chip), chip.memory_reached, chip);
}

Bytes traffic_of(const Elementwise& shape, const Chip& chip) {
    return Bytes{(d(shape.read) + d(shape.written)) * chip.element_bytes};
}
Seconds roofline_of(const Elementwise& shape, const Chip& chip) { return traffic_of(shape, chip) / chip.memory; }

Bytes traffic_of(const Convolution& shape, const Chip& chip) { return Bytes{elements_of(shape) * chip.element_bytes}; }
Bytes traffic_of(const Matmul& shape, const Chip& chip) { return Bytes{elements_of(shape) * chip.element_bytes}; }

Seconds roofline_of(const Matmul& shape, const Chip& chip) {
    return std::max(Flops{products_of(shape)} / chip.peak, traffic_of(shape, chip) / chip.memory);
}

Seconds roofline_of(const Convolution& shape, const Chip& chip) {
    return std::max(Flops{products_of(product_of(shape, Pass::forward))} / chip.peak,
                    traffic_of(shape, chip) / chip.memory);
}

}  // namespace scalescope::operators
