// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hardware/catalogue.hpp"
#include "core/measure/habitat/device.hpp"
#include "core/measure/kineto/trace.hpp"

#include <string_view>

namespace scalescope::transfer {

/// A GPU with all that a prediction asks of it.
struct Gpu {
    Device device;           ///< as the catalogue has it
    habitat::Device limits;  ///< what its processors hold at once
};

/// The device of the catalogue that a driver or a person calls so: "Tesla V100-SXM2-32GB", "NVIDIA A100-PG509-200",
/// "a100-sxm-40gb"; nullptr if there is none.
const Device* find_gpu(const Catalogue& catalogue, std::string_view name);

/// Limits as CUDA has them for the device's compute capability; bandwidth, clock and peak are the maker's. A problem if
/// it is no CUDA GPU, or one of those figures is unknown.
Result<Gpu> gpu_of(const Device& device);

/// True if libraries take the same kernels on both, which run in the same waves: boards of one chip, with other memory
/// or another clock.
bool same_kernels(const Gpu& one, const Gpu& other);

/// True if it multiplies 16-bit numbers on matrix units.
bool has_tensor_cores(const Device& device);

/// The GPU that most kernels of a trace ran on: limits as the trace has them, the rest from the catalogue. `name`, if
/// it is not empty, is what a person says it is. A problem if the catalogue does not have it.
Result<Gpu> gpu_of(const kineto::Trace& trace, const Catalogue& catalogue, std::string_view name = {});

}  // namespace scalescope::transfer
