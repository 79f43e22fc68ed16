// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/catalogue.hpp"

#include <algorithm>

#include "core/base/sequences.hpp"

namespace scalescope {
namespace {

template <class T>
const T* lookup(const std::vector<T>& all, std::string_view name) {
    const T* x = find_by(all, name, &T::id);
    return x ? x : find_by(all, name, &T::name);
}

template <class T>
const T* lookup_with_paleo(const std::vector<T>& all, std::string_view name) {
    if (const T* x = lookup(all, name)) return x;
    return name.empty() ? nullptr : find_by(all, name, &T::paleo_key);
}

bool contains(const std::vector<std::string>& all, const std::string& path) {
    return std::find(all.begin(), all.end(), path) != all.end();
}

}  // namespace

bool is_of_kind(const Link& link, std::string_view kind) {
    if (kind.empty() || !link.name.starts_with(kind)) return false;
    return link.name.size() == kind.size() || link.name[kind.size()] == ' ';
}

void find_host_link(Device& device, const std::vector<Link>& links) {
    if (device.host_bandwidth) return;
    for (const Link& link : links)
        if (is_of_kind(link, device.host_link)) {
            device.host_bandwidth = link.bandwidth;
            return;
        }
}

bool Catalogue::owns(const Device& device) const { return contains(own, "devices/" + device.id); }
bool Catalogue::owns(const Link& link) const { return contains(own, "links/" + link.id); }
bool Catalogue::owns(const ClusterPreset& cluster) const { return contains(own, "clusters/" + cluster.id); }
bool Catalogue::owns(const CpuMachine& machine) const { return contains(own, "machines/" + machine.id); }
bool Catalogue::owns(const Way& way) const { return contains(own, "ways/" + way.id); }
bool Catalogue::owns(const Trainer& trainer) const { return contains(own, "trainers/" + trainer.id); }

const Device* Catalogue::device(std::string_view name) const { return lookup_with_paleo(devices, name); }
const Link* Catalogue::link(std::string_view name) const { return lookup_with_paleo(links, name); }
const PercentOfPeak* Catalogue::percent(std::string_view name) const { return lookup(percents, name); }
const ClusterPreset* Catalogue::cluster(std::string_view name) const { return lookup(clusters, name); }
const CpuMachine* Catalogue::machine(std::string_view name) const { return lookup(machines, name); }
const Way* Catalogue::way(std::string_view name) const { return lookup(ways, name); }
const Trainer* Catalogue::trainer(std::string_view name) const { return lookup(trainers, name); }

}  // namespace scalescope
