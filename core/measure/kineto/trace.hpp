// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/measure/habitat/device.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// What PyTorch's profiler (Kineto) recorded, as compact tables. Times are nanoseconds, exact as the file has them.
namespace scalescope::kineto {

inline constexpr std::int64_t unknown = -1;

/// When something ran. The clock is the recording's own.
struct Span {
    std::int64_t begin = 0;   ///< ns
    std::int64_t length = 0;  ///< ns, not negative
    std::int64_t end() const { return begin + length; }
    bool contains(std::int64_t t) const { return t >= begin && t < end(); }
};

using NameId = std::uint32_t;  ///< a place in Trace::names

/// A GPU of the machine, as "deviceProperties" has it; 0 for what the file does not say.
struct DeviceProperties {
    std::int64_t id = 0;
    std::string name;
    std::int64_t memory = 0;  ///< bytes
    habitat::ComputeCapability capability;
    std::int64_t threads_per_block = 0, threads_per_processor = 0;
    std::int64_t registers_per_block = 0, registers_per_processor = 0;
    std::int64_t shared_per_block = 0, shared_per_processor = 0, shared_per_block_optin = 0;  ///< bytes
    std::int64_t processors = 0;
};

/// The inputs of an operator, if shapes were recorded.
struct OperatorInputs {
    std::vector<std::vector<std::int64_t>> sizes;  ///< of each input; empty: no tensor, or a scalar
    std::vector<std::string> values;               ///< what is no tensor, as written: "[1, 1]"
};

/// An operator of PyTorch on the CPU ("cpu_op"), or a span that the program named ("user_annotation").
struct CpuEvent {
    NameId name = 0;
    NameId thread = 0;
    Span span;
    std::int64_t external_id = unknown;
    std::int64_t inputs = unknown;  ///< a place in Trace::inputs
};

/// A call of the CUDA runtime or driver.
struct RuntimeCall {
    std::int64_t correlation = unknown;
    std::int64_t external_id = unknown;
    NameId thread = 0;
    Span span;
};

struct KernelEvent {
    NameId name = 0;
    Span span;
    std::int64_t device = 0, stream = 0;
    std::int64_t correlation = unknown, external_id = unknown;
    std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::int64_t registers = 0;  ///< per thread
    std::int64_t shared = 0;     ///< bytes per block
};

/// A copy or a fill of memory on the GPU.
struct MemoryEvent {
    NameId name = 0;
    Span span;
    std::int64_t device = 0, stream = 0;
    std::int64_t correlation = unknown, external_id = unknown;
};

struct Trace {
    std::string file;
    std::vector<DeviceProperties> devices;
    std::int64_t rank = 0, world_size = 1;
    std::vector<std::string> names;
    std::vector<OperatorInputs> inputs;
    std::vector<CpuEvent> operators;    ///< by thread, then begin; what encloses comes first
    std::vector<CpuEvent> annotations;  ///< the same
    std::vector<RuntimeCall> calls;     ///< by correlation
    std::vector<KernelEvent> kernels;   ///< by begin
    std::vector<MemoryEvent> memory;    ///< by begin
    Problems warnings;

    const std::string& name(NameId id) const { return names[id]; }
};

}  // namespace scalescope::kineto
