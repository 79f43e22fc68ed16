// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/habitat/occupancy.hpp"

#include "core/base/checked.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>
#include <span>

namespace scalescope::habitat {

namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t register_unit = 256;  ///< a warp's registers are handed out in such pieces

constexpr std::array<std::int64_t, 6> carve_outs_volta{0, 8, 16, 32, 64, 96};
constexpr std::array<std::int64_t, 2> carve_outs_turing{32, 64};
constexpr std::array<std::int64_t, 8> carve_outs_a100{0, 8, 16, 32, 64, 100, 132, 164};
constexpr std::array<std::int64_t, 6> carve_outs_small{0, 8, 16, 32, 64, 100};
constexpr std::array<std::int64_t, 10> carve_outs_hopper{0, 8, 16, 32, 64, 100, 132, 164, 196, 228};

/// What depends on the generation alone.
struct Generation {
    std::int64_t block_slots = 0;
    std::int64_t shared_unit = 0;              ///< bytes
    std::span<const std::int64_t> carve_outs;  ///< KiB; none: shared memory is apart from the cache
};

std::optional<Generation> generation_of(ComputeCapability c, Edition edition) {
    if (edition == Edition::habitat && (c.major > 7 || c.major == 4)) return std::nullopt;
    switch (c.major) {
        case 3: return Generation{16, 256, {}};
        case 5:
        case 6: return Generation{32, 256, {}};
        case 7: return c.minor == 5 ? Generation{16, 256, carve_outs_turing} : Generation{32, 256, carve_outs_volta};
        case 8:
            if (c.minor == 9) return Generation{24, 128, carve_outs_small};
            if (c.minor == 6) return Generation{16, 128, carve_outs_small};
            return Generation{c.minor == 7 ? 16 : 32, 128, carve_outs_a100};
        case 9: return Generation{32, 128, carve_outs_hopper};
        case 10: return Generation{c.minor == 1 ? 24 : 32, 128, carve_outs_hopper};
        case 11: return Generation{24, 128, carve_outs_hopper};
        case 12: return Generation{24, 128, carve_outs_small};
        default: return std::nullopt;
    }
}

/// Most shared memory of one block that asks for it, in bytes (CUDA C++ Programming Guide, table of technical
/// specifications per compute capability).
std::int64_t opt_in_of(ComputeCapability c) {
    constexpr std::int64_t kib = 1024;
    if (c.major == 7) return (c.minor == 5 ? 64 : 96) * kib;
    if (c.major == 8) return (c.minor == 6 || c.minor == 9 ? 99 : 163) * kib;
    if (c.major >= 9 && c.major <= 11) return 227 * kib;
    return c.major == 12 ? 99 * kib : 0;
}

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) { return ceil_div(value, unit) * unit; }

std::int64_t by_registers(const BlockDemand& demand, std::int64_t warps, const Device& device, Edition edition,
                          std::int64_t partitions) {
    const std::int64_t per_warp = rounded_up(demand.registers * 32, register_unit);
    // The edition of 2017 forgot a break, so that all generations have the limit of the newest.
    const std::int64_t most = edition != Edition::habitat && device.capability.major < 7 ? 255 : 256;
    if (demand.registers > most || device.registers_per_block < per_warp * rounded_up(warps, partitions)) return 0;
    if (demand.registers == 0) return unlimited;
    return device.registers_per_processor / partitions / per_warp * partitions / warps;
}

std::int64_t by_registers(const BlockDemand& demand, std::int64_t warps, const Device& device, Edition edition) {
    if (device.capability != ComputeCapability{6, 0}) return by_registers(demand, warps, device, edition, 4);
    // P100 has two partitions, yet what would not fit four is refused.
    if (by_registers(demand, warps, device, edition, 4) == 0) return 0;
    return by_registers(demand, warps, device, edition, 2);
}

std::int64_t by_shared(const BlockDemand& demand, const Device& device, const Generation& generation, Edition edition) {
    const std::int64_t taken = rounded_up(demand.shared, generation.shared_unit);
    std::int64_t most = device.shared_per_block;
    // Not every table of devices has the opt-in limit.
    if (edition == Edition::corrected)
        most = std::max(
            most, device.shared_per_block_optin > 0 ? device.shared_per_block_optin : opt_in_of(device.capability));
    if (taken > most) return 0;
    if (taken == 0) return unlimited;
    std::int64_t whole = device.shared_per_processor;
    for (const std::int64_t kib : generation.carve_outs) {
        if (kib * 1024 < whole) continue;
        whole = kib * 1024;
        break;
    }
    return whole / taken;
}

}  // namespace

Occupancy occupancy(const BlockDemand& demand, const Device& device, Edition edition) {
    const auto generation = generation_of(device.capability, edition);
    if (!generation) return {0, OccupancyLimit::capability};
    if (demand.threads <= 0 || demand.threads > device.threads_per_block) return {0, OccupancyLimit::threads};
    const std::int64_t warps = ceil_div(demand.threads, 32);
    Occupancy least{device.threads_per_processor / 32 / warps, OccupancyLimit::threads};
    const auto consider = [&](std::int64_t blocks, OccupancyLimit limit) {
        if (blocks < least.blocks) least = {blocks, limit};
    };
    consider(generation->block_slots, OccupancyLimit::blocks);
    consider(by_registers(demand, warps, device, edition), OccupancyLimit::registers);
    consider(by_shared(demand, device, *generation, edition), OccupancyLimit::shared);
    return least;
}

std::string_view why_not(OccupancyLimit limit) {
    constexpr std::string_view why[] = {"the rules chosen do not know its compute capability",
                                        "a block has no threads, or more than the device allows", "no block fits",
                                        "a block needs more registers than there are",
                                        "a block needs more shared memory than there is"};
    return why[static_cast<std::size_t>(limit)];
}

void RegisterTable::add(std::string_view kernel, int architecture, std::int64_t registers) {
    auto found = kernels_.find(kernel);
    if (found == kernels_.end()) found = kernels_.try_emplace(std::string(kernel)).first;
    found->second.try_emplace(architecture, registers);
}

std::optional<std::int64_t> RegisterTable::find(std::string_view kernel, ComputeCapability capability) const {
    const auto found = kernels_.find(kernel);
    if (found == kernels_.end()) return std::nullopt;
    const auto after = found->second.upper_bound(capability.digits());
    if (after == found->second.begin()) return std::nullopt;
    return std::prev(after)->second;
}

}  // namespace scalescope::habitat
