// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/habitat/device.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace scalescope::habitat {

/// Whose rules hold.
enum class Edition {
    habitat,    ///< Habitat as published: NVIDIA's occupancy rules of 2017, capabilities 3.x, 5.x, 6.x and 7.x
    deepview,   ///< its successor DeepView.Predict: the rules of CUDA 13, up to 12.x
    corrected,  ///< those, and kernels above the default limit of shared memory use the opt-in limit, as they do
};

/// What one thread block of a kernel takes.
struct BlockDemand {
    std::int64_t threads = 0;
    std::int64_t registers = 0;  ///< per thread
    std::int64_t shared = 0;     ///< bytes, static and dynamic
};

/// What keeps more blocks from running on a processor at once; of equals, the first.
enum class OccupancyLimit { capability, threads, blocks, registers, shared };

struct Occupancy {
    std::int64_t blocks = 0;  ///< thread blocks per processor; 0 if the kernel cannot run
    OccupancyLimit limit = OccupancyLimit::threads;
};

/// How many thread blocks of a kernel one streaming multiprocessor holds: the least of what warps, block slots,
/// registers and shared memory allow. Default carve-out, no cooperative features. Facts from NVIDIA's occupancy
/// calculator, editions of 2017 and CUDA 13.
Occupancy occupancy(const BlockDemand& demand, const Device& device, Edition edition);

/// Why a kernel with occupancy 0 cannot run: "it needs more registers than the device has", …
std::string_view why_not(OccupancyLimit limit);

/// Registers per thread that the same kernel was compiled to for each architecture.
class RegisterTable {
public:
    /// `architecture` as digits: 75. Of two entries for the same kernel and architecture the first counts.
    void add(std::string_view kernel, int architecture, std::int64_t registers);

    /// The entry of the newest architecture that is not newer than the device's: a GPU runs code compiled for an older
    /// one. Nothing if there is none; then the registers measured on the origin are the best guess.
    std::optional<std::int64_t> find(std::string_view kernel, ComputeCapability capability) const;

private:
    std::map<std::string, std::map<int, std::int64_t>, std::less<>> kernels_;
};

}  // namespace scalescope::habitat
