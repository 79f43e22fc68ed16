// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/hardware/device.hpp"

namespace scalescope {

/// `count` products C[m×n] = A[m×k]·B[k×n]. Shares of a layer make fractions of what is whole.
struct ProductShape {
    double m = 1, n = 1, k = 1, count = 1;
    bool operator==(const ProductShape&) const = default;
};

/// Constants of products on matrix units (tensor cores), fitted to measured ones of a family of devices
/// (docs/decisions/products.md).
struct ProductFamily {
    std::string_view name, source;
    double reached;           ///< share of the peak, of tiles without end
    double edge;              ///< elements: what a tile of tm × tn takes longer is edge·(1/tm + 1/tn)
    double ramp;              ///< steps of the contraction until a tile's pipeline is full
    Seconds launch;           ///< of one kernel, on the device
    Seconds training_launch;  ///< the same within a training step
    double memory;            ///< share of the bandwidth
    double cache;             ///< bandwidth of the last-level cache over that of the memory
    double shared;            ///< that of all multiprocessors' shared memories over that of the memory
    double last_wave;         ///< what of the idle part of the last wave is lost
    double clock;             ///< by what long kernels take longer, since power limits the clock
    double training_clock;    ///< the same within a training step
    double sustained;         ///< of the device that was measured: Device::sustained_matrix_fraction
    double in_training;  ///< share of the peak that a product of 8192 × 8192 × 8192 reaches within a training step
};
/// NVIDIA's generation of a compute capability: 9 of "9.0"; 0 of others.
int generation_of(const Device& device);
/// The family of products in that precision on such a device; the newest one where none was measured.
const ProductFamily& product_family(const Device& device, Precision multiplied);

/// What prices products on a device in one precision.
struct ProductRates {
    const ProductFamily* family = nullptr;
    FlopsPerSecond peak;       ///< times what the device reaches over what its family does
    BytesPerSecond memory;     ///< the maker's
    double processors = 1;     ///< streaming multiprocessors
    double element_bytes = 2;  ///< of what is read
    double written_bytes = 2;  ///< of an element of C
    /// Within a training step products take longer than alone: power limits the clock for good, and their operands are
    /// no longer in the cache. SimuMax's 117 operators of A100 steps ask for 1.145.
    double slower = 1;
    bool training = false;
    Seconds launch() const { return training ? family->training_launch : family->launch; }
    bool operator==(const ProductRates&) const = default;
};
inline constexpr double training_slower = 1.15;
/// Of the parts of a contraction that was split.
inline constexpr Seconds adding_up = microseconds(2);

/// Nothing, if the device has no matrix units for that precision, or its multiprocessors or its peak are unknown.
/// Where somebody measured what large products reach on the device, its peak is scaled by that over its family's.
std::optional<ProductRates> product_rates(const Device& device, Precision precision, bool training);

/// How a product is computed, and how long that takes.
struct ProductTime {
    Seconds total;       ///< with one launch
    Seconds arithmetic;  ///< of the tiles
    Seconds memory;      ///< of the slowest of memory, cache and shared memory
    int rows = 0, columns = 0;
    double tiles = 0,
           waves = 0;    ///< waves: of tiles that the device works on at once, less what is not lost of the last
    double splits = 1;   ///< parts of the contraction worked out side by side and added up
    double traffic = 0;  ///< bytes that move to and from memory
};

/// The best of four tiles, whole or split along k. Does not allocate (docs/decisions/products.md).
ProductTime product_time(const ProductShape& shape, const ProductRates& rates);

}  // namespace scalescope
