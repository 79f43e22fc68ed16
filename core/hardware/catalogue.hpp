// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/hardware/device.hpp"

namespace scalescope {

/// Percents of peak that somebody measured or fitted, under a name.
struct PercentOfPeak {
    std::string id, name, description;
    std::string source;                                       ///< spelled out; several are joined with "; "
    double compute = 1.0, memory = 1.0, communication = 1.0;  ///< shares: 1 is 100 %

    bool operator==(const PercentOfPeak&) const = default;
};

/// All devices and links known by name: the shipped ones and a person's own.
struct Catalogue {
    std::vector<Device> devices;
    std::vector<Link> links;
    std::vector<PercentOfPeak> percents;
    std::vector<std::string> own;  ///< paths of a person's own rows: "devices/my-gpu", "links/my-link"

    bool owns(const Device& device) const;
    bool owns(const Link& link) const;
    /// By id, then by name (exact), then by PALEO's key; nullptr if there is none.
    const Device* device(std::string_view name) const;
    const Link* link(std::string_view name) const;
    const PercentOfPeak* percent(std::string_view name) const;  ///< by id, then by name
};

}  // namespace scalescope
