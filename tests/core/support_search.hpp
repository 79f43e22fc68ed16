// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>

#include "core/search/search.hpp"
#include "support_networks.hpp"

/// Two devices, one more without price and memory, and two links: what tests of searches vary.
namespace support {

inline scalescope::Catalogue catalogue_of_two() {
    using namespace scalescope;
    Catalogue c;
    std::mt19937 random(5);
    for (const char* id : {"slow", "fast", "free"}) {
        Device d = scenario(preset("alexnet-one-tower")).cluster.device;
        d.id = d.name = id;
        for (auto& peak : d.peak) peak = teraflops(id[0] == 's' ? 2 : 11);
        d.memory_bandwidth = gigabytes_per_second(id[0] == 's' ? 200 : 700);
        d.memory = id[0] == 'f' && id[1] == 'r' ? std::nullopt : std::optional(gigabytes(id[0] == 's' ? 0.0004 : 12));
        d.price_per_hour = id[0] == 'f' && id[1] == 'r' ? std::nullopt : std::optional(id[0] == 's' ? 0.5 : 2.0);
        d.tdp_w = id[0] == 's' ? 150 : 300;
        c.devices.push_back(d);
    }
    for (const char* id : {"thin", "thick"}) {
        Link l;
        l.id = l.name = id;
        l.bandwidth = gigabytes_per_second(id[2] == 'i' && id[3] == 'n' ? 1 : 10);
        l.latency = microseconds(id[3] == 'n' ? 40 : 3);
        l.scope = "either";
        c.links.push_back(l);
    }
    c.machines.push_back(*support::library().catalogue.machine("xeon-e5-2650"));
    c.machines.push_back(c.machines.back());
    c.machines[0].id = "socket";
    c.machines[1].id = "board";
    c.machines[1].cores = c.machines[1].threads = 16;
    return c;
}

inline scalescope::search::SetByName setter(const scalescope::Catalogue& catalogue) {
    return [&catalogue](scalescope::Scenario& s, const std::string& path, const std::string& value) {
        return set_field(s, path, value, catalogue);
    };
}

inline scalescope::search::Space space_of(const scalescope::Scenario& base, std::vector<scalescope::search::Axis> axes,
                                          const scalescope::Catalogue& catalogue) {
    auto space = scalescope::search::Space::make(base, std::move(axes), setter(catalogue));
    if (!space) qFatal("%s", to_text(space.error().front()).c_str());
    return std::move(*space);
}

}  // namespace support
