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

/// A device as drivers, tables, configurations and clouds write it: "NVIDIA A100-SXM4-40GB", "8x H100 80G", "DGX-B200",
/// "p4d.24xlarge", "v5e-256" (docs/decisions/names.md).
struct DeviceReading {
    const Device* device = nullptr;          ///< of the catalogue; null if no device fits, or `others` fit alike
    const ClusterPreset* cluster = nullptr;  ///< the system or instance that the text names, if the catalogue has it
    std::optional<std::int64_t> count;       ///< devices that the text counts: "8×", chips of a slice
    std::optional<std::int64_t> domain;      ///< devices on one NVLink level: "NVL72"
    std::optional<Bytes> memory;             ///< that the text states, where no such device has as much
    std::optional<BytesPerSecond> memory_bandwidth;
    std::vector<const Device*> others;  ///< what it may mean instead, or what is near where nothing fits
    std::vector<std::string> assumed;   ///< what was decided and what was left out, each a sentence

    /// Only this one fits all that the text says.
    bool is_certain() const { return device != nullptr && others.empty(); }
};

/// Understands a name by its parts, in any order: maker, model, form factor, memory, count, system or instance. Of
/// several devices that fit, the one of the system counts, otherwise the one with the fastest links and the most
/// memory; the others are offered.
DeviceReading read_device(const Catalogue& catalogue, std::string_view text);

/// The device, where only one fits all that the text says; nullptr otherwise.
const Device* device_called(const Catalogue& catalogue, std::string_view name);
/// The same, a problem that says what to write instead.
Result<const Device*> require_device(const Catalogue& catalogue, std::string_view name);

}  // namespace scalescope
