// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/problem.hpp"
#include "core/hardware/catalogue.hpp"

namespace scalescope {

/// The meaning of a device name as drivers, tables, configurations and clouds write it: "NVIDIA A100-SXM4-40GB",
/// "8x H100 80G", "DGX-B200", "p4d.24xlarge", "v5e-256" (docs/decisions/names.md).
struct DeviceReading {
    const Device* device = nullptr;  ///< in the catalogue; null if no device matches, or `others` match equally well
    const ClusterPreset* cluster = nullptr;  ///< the named system or instance, if the catalogue has it
    std::optional<std::int64_t> count;       ///< number of devices: "8×", chips of a TPU slice
    std::optional<std::int64_t> domain;      ///< devices in one NVLink domain: "NVL72"
    std::optional<Bytes> memory;             ///< as stated, if no matching device has this much
    std::optional<BytesPerSecond> memory_bandwidth;
    std::optional<double> watts;        ///< as stated, if that is less than the device can draw
    std::vector<const Device*> others;  ///< other possible meanings, or the nearest name if nothing matches
    std::vector<std::string> assumed;   ///< what was assumed or ignored, one sentence each

    /// Whether `device` is the only one that matches everything in the text.
    bool is_certain() const { return device != nullptr && others.empty(); }
};

/// Reads a name by its parts, in any order: maker, model, form factor, memory, count, system or instance. If several
/// devices match, chooses that of the named system, otherwise the one with the fastest links and the most memory, and
/// lists the others.
DeviceReading read_device(const Catalogue& catalogue, std::string_view text);

/// The device if exactly one matches everything in the text; nullptr otherwise.
const Device* device_called(const Catalogue& catalogue, std::string_view name);
/// Like device_called(), but fails with a problem that says what to write instead.
Result<const Device*> require_device(const Catalogue& catalogue, std::string_view name);

}  // namespace scalescope
