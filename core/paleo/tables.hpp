// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/hardware/device.hpp"

#include <span>
#include <string>
#include <string_view>

/// PALEO's own figures, exactly as its code has them (github.com/TalwalkarLab/paleo, commit 984bbf5). They are not the
/// catalogue's: its K80 is the whole two-chip board and the clock of its CPU is a slip of the pen.
namespace scalescope::paleo {

struct Device {
    std::string key;   ///< PALEO's name for it: "TITAN_X"
    std::string name;  ///< as PALEO prints it: "Titan X"
    double clock_mhz = 1000.0;
    double peak_gflops = 1.0;  ///< single precision, 10^9 per second
    double memory_gb_per_s = 1.0;
};

/// What joins the workers.
struct Link {
    std::string key;
    std::string name;
    double gbit_per_s = 1.0;  ///< 10^9 bits per second
};

std::span<const Device> devices();
std::span<const Link> links();

/// By key; null if PALEO has none of that name.
const Device* find_device(std::string_view key);
const Link* find_link(std::string_view key);

/// A device or link of the catalogue in PALEO's terms: fp32 peak, and the clock only for the clock tick (1 GHz if it is
/// not known). A device without an fp32 peak is a Problem.
Result<Device> from_catalogue(const scalescope::Device& device);
Link from_catalogue(const scalescope::Link& link);

}  // namespace scalescope::paleo
