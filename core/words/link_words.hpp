// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hardware/catalogue.hpp"

namespace scalescope {

/// The links of a cluster as tables and configurations write them: "NVLink3+NVSwitch; 8x HDR IB 200Gb/s per node".
struct LinkReading {
    const Link* inside = nullptr;       ///< a node; null if the text names none
    const Link* between = nullptr;      ///< nodes
    std::optional<std::int64_t> cards;  ///< network cards of a node
    bool card_per_device = false;       ///< as many as a node has devices
    std::vector<std::string> assumed;   ///< what was decided, each a sentence
};

/// Understands each clause by its parts: kind of link, generation or rate, cards, and for whom the rate is. Generations
/// that the text leaves out follow from the device, which may be null.
LinkReading read_links(const Catalogue& catalogue, std::string_view text, const Device* device);

/// The links that a device usually has: those of the system that is built with it, or the one to its peers and
/// InfiniBand of its time. Nothing where nobody knows.
struct UsualLinks {
    const Link* inside = nullptr;
    const Link* between = nullptr;
    std::int64_t cards = 1, devices_per_node = 1;
};
UsualLinks usual_links(const Catalogue& catalogue, const Device& device);

}  // namespace scalescope
