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

/// Number format of the multiplications. The 16-bit ones keep fp32 master weights (mixed precision).
enum class Precision { fp64, fp32, tf32, fp16, bf16 };
inline constexpr std::array<Precision, 5> all_precisions{Precision::fp64, Precision::fp32, Precision::tf32,
                                                         Precision::fp16, Precision::bf16};
std::string_view name_of(Precision p);
/// Bytes of one element of an activation, weight or gradient in this precision.
double bytes_per_element(Precision p);

/// Kernels that compute attention in one operation (flash attention). `automatic`: the fastest one known for a device.
enum class AttentionKernel { flash_2, flash_3, triton, automatic };

/// A processor with its maker's figures. Peaks are dense, per device; blank means unknown, never zero.
struct Device {
    std::string id, name, vendor, architecture, family;
    int year = 0;
    std::array<std::optional<FlopsPerSecond>, 5> peak;  ///< by Precision
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

    // Shown, and kept with a scenario, but no time follows from them yet.
    std::optional<FlopsPerSecond> peak_fp8;
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
    std::optional<FlopsPerSecond> peak_at(Precision p) const { return peak[static_cast<std::size_t>(p)]; }
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
