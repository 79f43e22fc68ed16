// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/hardware/cpu_machine.hpp"

/// What one multiply-add costs a thread: caches, interference of threads, and the wall of memory bandwidth. After Yan
/// et al. (KDD 2015), re-derived: docs/decisions/cpu-clusters.md.
namespace scalescope::yan {

enum class CacheTier : std::uint8_t { l2, l3, memory };

CacheTier tier_of(const CpuMachine& machine, Bytes working_set);

/// Seconds of one multiply-add on one of `threads` threads whose weights fill `working_set`:
/// max(C_tier·(1 + κ·(h − 1) + κ'·(h − cores)⁺), b_w·h / (reuse·B_mem) if it streams from memory).
/// `reuse`: multiply-adds that each loaded weight serves, at least 1.
Seconds multiply_add(const CpuMachine& machine, std::int64_t threads, Bytes working_set, double reuse = 1.0);

}  // namespace scalescope::yan
