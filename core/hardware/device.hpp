// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units/units.hpp"

namespace scalescope {

/// Number format of the multiplications. The 16-bit ones keep fp32 master weights (mixed precision). From fp8 on,
/// recipes that multiply in a narrow format, but only in linear layers of blocks: everything else is bf16.
enum class Precision : std::uint8_t {
    fp64,
    fp32,
    tf32,
    fp16,
    bf16,
    fp8,        ///< one scale a tensor (Micikevicius et al., arXiv:2209.05433)
    fp8_row,    ///< one scale a row
    fp8_block,  ///< one for 1 × 128 activations, for 128 × 128 weights (DeepSeek-V3 Technical Report, 2024)
    mxfp8,      ///< one of 8 bits for 32 elements (OCP Microscaling Formats 1.0, 2023)
    nvfp4       ///< one of 8 bits for 16 elements, and one a tensor (NVIDIA, arXiv:2509.25149)
};
inline constexpr std::array<Precision, 10> all_precisions{
    Precision::fp64, Precision::fp32,    Precision::tf32,      Precision::fp16,  Precision::bf16,
    Precision::fp8,  Precision::fp8_row, Precision::fp8_block, Precision::mxfp8, Precision::nvfp4};

/// What a precision is made of.
struct PrecisionTraits {
    std::string_view name;
    double bytes;        ///< of an element of an activation, weight or gradient
    Precision elements;  ///< format of activations, weights and gradients; of a plain precision: itself
    Precision products;  ///< whose peak its products have
    Precision wider;     ///< what a device computes in that has no fast path for it; the widest: itself
    // Of a recipe:
    double narrow_bytes = 0;  ///< of an element that is multiplied, with its scale
    int reads = 0;            ///< of a tensor in `elements`: for its largest numbers, where a scale needs them first,
                              ///< and to write the copies
    int copies = 0;           ///< narrow ones that are written: along rows, and along columns for the gradients
    bool is_recipe() const { return narrow_bytes > 0; }
};
const PrecisionTraits& traits_of(Precision p);
inline std::string_view name_of(Precision p) { return traits_of(p).name; }
inline double bytes_per_element(Precision p) { return traits_of(p).bytes; }
/// Whether a device can have a peak of its own in it.
inline bool has_peak(Precision p) { return traits_of(p).products == p; }

/// How a device multiplies the linear layers that a recipe is for.
struct NarrowProducts {
    Precision precision = Precision::fp8;
    double bytes = 0;    ///< of an element, with its scale
    double casting = 0;  ///< bytes that are moved to cast an element of an input, a weight or a gradient
    int copies = 0;      ///< of the weights, beside those in `elements`
    double speedup = 1;  ///< over products in the precision of everything else
    bool operator==(const NarrowProducts&) const = default;
};

/// Kernels that compute attention in one operation (flash attention). `automatic`: the fastest one known for a device.
enum class AttentionKernel { flash_2, flash_3, triton, automatic };

/// A processor with its maker's figures. Peaks are dense, per device; blank means unknown, never zero.
struct Device {
    std::string id, name, vendor, architecture, family;
    int year = 0;
    std::array<std::optional<FlopsPerSecond>, all_precisions.size()> peak;  ///< by Precision, those with has_peak
    BytesPerSecond memory_bandwidth;
    std::optional<Bytes> memory;
    std::optional<double> price_per_hour;  ///< US dollars
    std::string price_basis;               ///< seller, kind of price, date
    std::string paleo_key;                 ///< PALEO's own name for it, if it has one
    std::optional<double> clock_mhz;       ///< base clock; PALEO's clock tick needs it
    std::vector<std::string> sources;      ///< spelled out
    std::vector<std::string> unverified;   ///< fields nobody has read a source for, as files name them: "boost_mhz"
    std::string note;

    std::optional<double> sustained_matrix_fraction;  ///< measured speed of 16-bit products, alone, over their peak
    std::optional<double> training_matrix_fraction;   ///< the same within training steps, where that was measured
    std::array<std::optional<double>, 3> attention;   ///< by kernel: speed over the 16-bit peak

    std::optional<BytesPerSecond> host_bandwidth;  ///< to the host, one way; the catalogue takes that of `host_link`

    // Shown, and kept with a scenario, but no time follows from them yet.
    std::string compute_capability, memory_type, host_link, peer_link;
    std::optional<std::int64_t> multiprocessors;
    std::optional<double> boost_mhz, tdp_w;
    std::optional<double> sustained_fraction;      ///< measured fp32 matrix-multiplication speed over the boost peak
    std::optional<Bytes> l2;                       ///< last-level cache
    std::optional<BytesPerSecond> peer_bandwidth;  ///< all links to peers together, one way

    /// Another price than the one it has is of no seller.
    void set_price(std::optional<double> usd_per_hour) {
        if (price_per_hour == usd_per_hour) return;
        price_per_hour = usd_per_hour;
        price_basis = usd_per_hour ? "set by hand" : "";
    }
    std::optional<FlopsPerSecond> peak_at(Precision p) const {
        return peak[static_cast<std::size_t>(traits_of(p).products)];
    }
    bool operator==(const Device&) const = default;
};

/// A network link: one way, per device, payload peak.
struct Link {
    std::string id, name;
    BytesPerSecond bandwidth;
    Seconds latency;    ///< start-up time of one message (α)
    std::string scope;  ///< "inside a node", "between nodes" or "either"
    std::string family, paleo_key, note;
    std::vector<std::string> sources, unverified;

    bool operator==(const Link&) const = default;
};

}  // namespace scalescope
