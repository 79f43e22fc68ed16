// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/hardware/device.hpp"

namespace scalescope::operators {

/// What the times of operators need to know of a device at one precision.
struct Chip {
    FlopsPerSecond peak;          ///< of the unit that the products run on
    BytesPerSecond memory;        ///< the maker's
    double processors = 1;        ///< streaming multiprocessors, or what takes one tile at a time
    double reached = 0.85;        ///< share of the peak that a product of many full tiles reaches (η₀·φ)
    double memory_reached = 0.7;  ///< share of the bandwidth (η_m)
    Seconds launch{10e-6};        ///< of a call, the framework's part included
    double element_bytes = 4;
    bool matrix_units = false;  ///< tensor or matrix units: larger tiles, dimensions padded to multiples of 8
    bool measured = false;      ///< `reached` was measured on this device and kind of unit, not assumed
};

/// The chip of a device of the catalogue. `reached` is the device's sustained fraction, where somebody measured it: of
/// fp32 products for the vector units, of 16-bit ones for the matrix units; else 0.85. A problem if the device has no
/// peak at that precision, or its multiprocessors are unknown.
Result<Chip> chip_of(const Device& device, Precision precision);

}  // namespace scalescope::operators
