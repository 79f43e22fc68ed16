// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/habitat/device.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace scalescope::habitat {

/// What a profiler counted while a kernel ran on the origin.
struct Metrics {
    Fraction flop_efficiency;  ///< of the device's single-precision peak
    Bytes read, written;       ///< device memory traffic
};

/// One launch of a kernel, measured on the origin device.
struct Kernel {
    std::string name;
    std::int64_t blocks = 0;         ///< of the grid: x·y·z
    std::int64_t block_size = 0;     ///< threads of a block: x·y·z
    std::int64_t registers = 0;      ///< per thread
    std::int64_t static_shared = 0;  ///< bytes per block
    std::int64_t dynamic_shared = 0;
    Nanoseconds time;
    std::optional<Metrics> metrics;  ///< all three or none: with one missing, Habitat has no use for the others

    std::int64_t shared() const { return static_shared + dynamic_shared; }
};

}  // namespace scalescope::habitat
