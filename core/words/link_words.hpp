// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hardware/catalogue.hpp"

namespace scalescope {

/// The meaning of a cluster's links as tables and configurations write them: "NVLink3+NVSwitch; 8x HDR IB 200Gb/s per
/// node".
struct LinkReading {
    const Link* inside = nullptr;       ///< inside a node; null if the text does not name one
    const Link* between = nullptr;      ///< between nodes; null if the text does not name one
    std::optional<std::int64_t> cards;  ///< network cards per node
    bool card_per_device = false;       ///< a node has as many cards as devices
    std::vector<std::string> assumed;   ///< what was assumed, one sentence each
};

/// Reads each clause by its parts: kind of link, generation or rate, number of cards, and whether the rate is per
/// device or per node. A missing generation is taken from the device, which may be null.
LinkReading read_links(const Catalogue& catalogue, std::string_view text, const Device* device);

/// The links that a device usually has: those of a system built with it, otherwise its link to peers and the network
/// of its time. Null if unknown.
struct UsualLinks {
    const Link* inside = nullptr;
    const Link* between = nullptr;
    std::int64_t cards = 1, devices_per_node = 1;
};
UsualLinks usual_links(const Catalogue& catalogue, const Device& device);

}  // namespace scalescope
