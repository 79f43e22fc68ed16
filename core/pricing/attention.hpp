// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/hardware/device.hpp"

namespace scalescope {

/// Constants of fused attention on a family of devices (docs/decisions/products.md).
struct AttentionFamily {
    std::string_view name, source;
    double ramp;     ///< keys that a block of queries sees until half of the rate is reached
    double narrow;   ///< width of a head at which half of the rate is reached
    Seconds launch;  ///< of one kernel
    double memory;   ///< share of the bandwidth
    double longest;  ///< what of the longest block of queries, which cannot be split, does not hide
    /// By what the backward pass reaches less. A100 and B200: SimuMax' operators take 2.9 and 3.0 times as long for 2.5
    /// times the FLOPs; H100: at 16,384 positions (tests/data/measured).
    double backward;
};

/// What prices fused attention on a device.
struct AttentionRates {
    const AttentionFamily* family = nullptr;
    FlopsPerSecond peak;    ///< of the precision
    Fraction reached;       ///< of it, by wide heads over many keys: the kernel's, from the catalogue
    BytesPerSecond memory;  ///< the maker's
    double processors = 0;  ///< streaming multiprocessors; 0: unknown, blocks of queries fill them
    bool operator==(const AttentionRates&) const = default;
};

/// Nothing, if no speed of the kernel is known on the device.
std::optional<AttentionRates> attention_rates(const Device& device, AttentionKernel kernel, FlopsPerSecond peak);

/// One pass of fused attention.
struct AttentionShape {
    double heads = 1;           ///< of all samples
    double queries = 1;         ///< of a head
    double seen = 1, keys = 1;  ///< keys that a query sees in the mean; all keys
    double width = 1;           ///< of a head, of keys and values in the mean
    Flops flops{0};             ///< exactly
    Bytes bytes{0};             ///< to and from memory
    bool backward = false;
};
struct AttentionTime {
    Seconds total;  ///< without launch
    Seconds arithmetic, memory;
    Fraction reached;  ///< share of the peak within a block
    double blocks = 0, waves = 0;
    double whole_blocks = 1;  ///< FLOPs of whole blocks over those that the mask leaves
    Seconds longest;          ///< of the longest block
};
/// Does not allocate.
AttentionTime attention_time(const AttentionShape& shape, const AttentionRates& rates);

}  // namespace scalescope
