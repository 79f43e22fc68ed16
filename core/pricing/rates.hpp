// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/base/problem.hpp"
#include "core/pricing/attention.hpp"
#include "core/pricing/products.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope {

/// What a device achieves: peaks times percents of peak (PALEO, Qi et al., ICLR 2017;
/// docs/decisions/prices-of-layers.md).
struct DeviceRates {
    FlopsPerSecond arithmetic;
    BytesPerSecond memory;
    Seconds launch;
    bool overlap_memory = false;
    ConvolutionAlgorithm convolution = ConvolutionAlgorithm::gemm;
    Bytes workspace{0};                         ///< limit for convolutions that need extra memory
    Fraction share{1};                          ///< of the peak, that `arithmetic` is
    std::optional<AttentionRates> attention{};  ///< fused attention's; nothing: as other products
    double traffic = 1;                         ///< times that layers without products move what they must move
    std::optional<NarrowProducts> narrow{};     ///< products of a recipe, where the device has a path for it
    std::optional<ProductRates> products{};     ///< nothing: products reach `arithmetic`, whatever their shape
    std::optional<ProductRates> narrow_products{};
    bool operator==(const DeviceRates&) const = default;

    /// Time of one operation: arithmetic and memory traffic add up, or the longer one counts; plus the start-up time.
    Seconds price(Flops flops, Bytes bytes) const { return without_start(flops, bytes) + launch; }
    /// Of layers without products.
    BytesPerSecond memory_elsewhere() const { return memory * Fraction{1 / traffic}; }
    /// The same but for the start-up time.
    Seconds without_start(Flops flops, Bytes bytes) const { return add(flops / arithmetic, bytes / memory); }
    Seconds add(Seconds c, Seconds m) const { return overlap_memory ? (c > m ? c : m) : c + m; }
};

/// What the links achieve, and how the workers lie on them.
struct LinkRates {
    BytesPerSecond inside, between;
    Seconds inside_latency, between_latency;
    std::int64_t devices_per_node = 1, nics_per_node = 1, devices_per_uplink = 1;
    BytesPerSecond host{0};         ///< between a device and its host, one way; 0 where that is not known
    BytesPerSecond host_memory{0};  ///< of a host, for each of its devices
    bool operator==(const LinkRates&) const = default;
};

/// Precision in which a device multiplies numbers of precision `asked`: the next wider one where that is faster, or
/// the only one with a known peak, as libraries do. Of a recipe: what it is for.
Precision multiplied_in(const Device& device, Precision asked);
/// What everything else is computed in then.
inline Precision else_computed_in(const Device& device, Precision asked) {
    return multiplied_in(device, traits_of(asked).elements);
}
/// Share of the peak that 16-bit products reach within training steps. Those that were measured alone are faster by a
/// tenth, since power limits the clock of long steps and their shapes are not the best ones (fitted to steps of
/// Megatron-LM and MPT on A100).
std::optional<Fraction> measured_share(const Device& device);
/// Share of the memory bandwidth that copies reach: the one that was set, or that of the device's family.
Fraction stream_share(const Device& device, const ModelOptions& model);
/// What the rates of a scenario leave open, or take from elsewhere: a precision without a fast path, a kernel that was
/// not measured on the device.
Problems notes_on_rates(const Cluster& cluster, const ModelOptions& model, Precision precision);

/// Fails if the device has no figure for the precision asked, nor for a wider one.
Result<DeviceRates> device_rates(const Cluster& cluster, const ModelOptions& model, Precision precision);
LinkRates link_rates(const Cluster& cluster, const ModelOptions& model);

}  // namespace scalescope
