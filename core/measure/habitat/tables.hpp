// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/measure/habitat/device.hpp"
#include "core/measure/habitat/occupancy.hpp"
#include "core/measure/habitat/trace.hpp"
#include "core/measure/habitat/wave.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The files that Habitat's methods work on. Every problem of a file is said, with line and column: columns that are
/// missing, cells that are no such number, devices and kernels nobody defined. Columns nobody asks for are left alone.
namespace scalescope::habitat {

/// device, compute_major, compute_minor, max_threads_per_block, max_threads_per_multiprocessor, regs_per_block,
/// regs_per_multiprocessor, shared_mem_per_block, shared_mem_per_multiprocessor, num_sms, shared_mem_per_block_optin
/// (bytes), mem_bandwidth_gb (GB/s), base_clock_mhz, peak_gflops_per_second; perhaps mlp_mem (GB), mlp_mem_bw (GB/s),
/// mlp_num_sm, mlp_single (TFLOP/s). If there is a column `source`, only its rows `source` are read.
Result<std::vector<Device>> read_devices(std::string_view text, std::string file, std::string_view source,
                                         const Watch& watch = {});

/// id, num_blocks, block_size, registers_per_thread, static_smem, dynamic_smem (bytes), run_time_ns; perhaps
/// flop_eff_pct, dram_read_bytes, dram_write_bytes.
Result<std::vector<Kernel>> read_kernels(std::string_view text, std::string file, const Watch& watch = {});

/// name, arch (75 for 7.5), registers_per_thread.
Result<RegisterTable> read_registers(std::string_view text, std::string file, const Watch& watch = {});

/// Positions in lists of devices and kernels.
struct ScaleCase {
    std::size_t kernel = 0, origin = 0, destination = 0;
};

/// kernel_id, origin, dest; or, for every kernel, origin, dest.
Result<std::vector<ScaleCase>> read_scale_cases(std::string_view text, std::string file,
                                                const std::vector<Kernel>& kernels, const std::vector<Device>& devices,
                                                const Watch& watch = {});

struct OccupancyCase {
    std::size_t device = 0;
    std::int64_t block_size = 0, registers = 0, static_shared = 0, dynamic_shared = 0;
    BlockDemand demand() const { return {block_size, registers, static_shared + dynamic_shared}; }
};

/// device, block_size, registers_per_thread, static_smem, dynamic_smem.
Result<std::vector<OccupancyCase>> read_occupancy_cases(std::string_view text, std::string file,
                                                        const std::vector<Device>& devices, const Watch& watch = {});

struct MlpCase {
    std::string operation;
    std::size_t device = 0;
    std::string text;  ///< the features as they are written
    std::vector<double> features;
    SourcePosition at;
};

/// operation, device, features: the operation's own, separated by spaces.
Result<std::vector<MlpCase>> read_mlp_cases(std::string_view text, std::string file, const std::vector<Device>& devices,
                                            const MlpModels& models, const Watch& watch = {});

struct TraceCase {
    Trace trace;
    std::vector<std::string> destinations;  ///< those the file has predictions for
};

/// A list of traces: id, origin, operations, each with name, arguments, and forward and backward (or null): run_time_ms
/// and the ids of its kernels. Arguments of conv2d, linear, bmm and lstm become features (trace_arguments.hpp).
Result<std::vector<TraceCase>> read_traces(std::string_view text, std::string file, const std::vector<Kernel>& kernels,
                                           const Watch& watch = {});

}  // namespace scalescope::habitat
