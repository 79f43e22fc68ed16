// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/units/units.hpp"

namespace scalescope::habitat {

/// Times as Habitat's files give them. They are not turned into seconds and back, so that a time no rule touches comes
/// out with the same bits.
using Nanoseconds = Quantity<struct NanosecondsTag>;
using Milliseconds = Quantity<struct MillisecondsTag>;
using Megahertz = Quantity<struct MegahertzTag>;

constexpr Nanoseconds in_nanoseconds(Milliseconds t) { return Nanoseconds{t.value * 1e6}; }
constexpr Milliseconds in_milliseconds(Nanoseconds t) { return Milliseconds{t.value / 1e6}; }

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
