// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/habitat/quantities.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace scalescope::habitat {

/// CUDA's compute capability: 7.5 is {7, 5}.
struct ComputeCapability {
    int major = 0;
    int minor = 0;

    auto operator<=>(const ComputeCapability&) const = default;
    /// 75 for 7.5: the architecture as register tables name it.
    int digits() const { return major * 10 + minor; }
    std::string text() const { return std::to_string(major) + '.' + std::to_string(minor); }
};

/// What the networks for kernel-varying operations are told about a device: data-sheet figures, unlike those of Device.
struct MlpDevice {
    Bytes memory;
    BytesPerSecond bandwidth;
    std::int64_t multiprocessors = 0;
    FlopsPerSecond single;
};

/// A GPU as Habitat knows it: the limits that decide how many thread blocks run at once, and achieved speeds. It is
/// kept apart from the catalogue's devices, whose figures are the makers'.
struct Device {
    std::string name;
    ComputeCapability capability;
    std::int64_t threads_per_block = 0;      ///< at most
    std::int64_t threads_per_processor = 0;  ///< at most; "processor" is a streaming multiprocessor throughout
    std::int64_t registers_per_block = 0;    ///< at most
    std::int64_t registers_per_processor = 0;
    std::int64_t shared_per_block = 0;        ///< bytes, without asking for more
    std::int64_t shared_per_block_optin = 0;  ///< bytes, for kernels that ask; 0: as the capability has it
    std::int64_t shared_per_processor = 0;    ///< bytes
    std::int64_t processors = 0;
    BytesPerSecond bandwidth;      ///< of device memory, as measured
    Megahertz clock;               ///< base clock
    FlopsPerSecond peak;           ///< single precision, as measured
    std::optional<MlpDevice> mlp;  ///< nothing if no network was trained with it
};

}  // namespace scalescope::habitat
