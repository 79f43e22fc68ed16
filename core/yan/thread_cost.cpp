// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/yan/thread_cost.hpp"

#include <algorithm>

namespace scalescope::yan {

CacheTier tier_of(const CpuMachine& machine, Bytes working_set) {
    if (working_set <= machine.l2) return CacheTier::l2;
    return working_set <= machine.l3 ? CacheTier::l3 : CacheTier::memory;
}

Seconds multiply_add(const CpuMachine& machine, std::int64_t threads, Bytes working_set, double reuse) {
    const CacheTier tier = tier_of(machine, working_set);
    const Seconds alone = tier == CacheTier::l2   ? machine.multiply_add_l2
                          : tier == CacheTier::l3 ? machine.multiply_add_l3
                                                  : machine.multiply_add_memory;
    const double beside = static_cast<double>(threads - 1);
    const double beyond = static_cast<double>(std::max<std::int64_t>(0, threads - machine.cores));
    const Seconds own = alone * (1.0 + machine.contention * beside + machine.contention_beyond_cores * beyond);
    if (tier != CacheTier::memory) return own;
    const Seconds wall =
        machine.weight_bytes * static_cast<double>(threads) / (machine.memory_bandwidth * Fraction{reuse});
    return std::max(own, wall);
}

}  // namespace scalescope::yan
