// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/paleo/tables.hpp"

#include <array>

namespace scalescope::paleo {

std::span<const Device> devices() {
    static const std::array table{
        Device{"TITAN_X", "Titan X", 1000, 6144, 336.5},
        Device{"K20", "K20", 1000, 3520, 208},
        Device{"K20X", "K20X", 1000, 3935, 250},
        Device{"K40", "K40", 745, 4290, 288},
        Device{"K80", "K80", 560, 5600, 480},
        Device{"GEFORCE_780_TI", "GeForce 780 Ti", 875, 5040, 336},
        Device{"GEFORCE_750_M", "GeForce 750 M", 941, 722.7, 80},
        Device{"CPU_I7", "CPU i7 5930K", 6 * 35000, 289, 68},
    };
    return table;
}

std::span<const Link> links() {
    static const std::array table{
        Link{"aws", "AWS", 2},
        Link{"ethernet", "Ethernet", 10},
        Link{"ethernet20", "Ethernet", 20},
        Link{"infiniband", "Infiniband", 70},
        Link{"pcie2", "PCIe 2", 64},
        Link{"pcie3", "PCIe 3", 128},
    };
    return table;
}

namespace {

template <class T>
const T* find(std::span<const T> table, std::string_view key) {
    for (const T& row : table)
        if (row.key == key) return &row;
    return nullptr;
}

}  // namespace

const Device* find_device(std::string_view key) { return find(devices(), key); }
const Link* find_link(std::string_view key) { return find(links(), key); }

Result<Device> from_catalogue(const scalescope::Device& device) {
    const auto peak = device.peak_at(Precision::fp32);
    if (!peak || device.memory_bandwidth.value <= 0.0)
        return fail(make_error("The fp32 peak or the memory bandwidth of " + device.name + " is not known.",
                               "Choose another device, or add the figure to the catalogue.", {}, "device"));
    return Device{device.id, device.name, device.clock_mhz.value_or(device.boost_mhz.value_or(1000.0)),
                  peak->value / 1e9, device.memory_bandwidth.value / 1e9};
}

Link from_catalogue(const scalescope::Link& link) { return {link.id, link.name, link.bandwidth.value * 8.0 / 1e9}; }

}  // namespace scalescope::paleo
