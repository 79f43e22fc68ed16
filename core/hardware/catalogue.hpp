// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hardware/cpu_machine.hpp"
#include "core/hardware/device.hpp"

namespace scalescope {

/// Percents of peak that somebody measured or fitted, under a name.
struct PercentOfPeak {
    std::string id, name, description;
    std::string source;                                       ///< spelled out; several are joined with "; "
    double compute = 1.0, memory = 1.0, communication = 1.0;  ///< shares: 1 is 100 %

    bool operator==(const PercentOfPeak&) const = default;
};

/// A machine as it is built or let: which devices in a node, how many, and the links. Devices and links by their ids.
struct ClusterPreset {
    std::string id, name, vendor;
    std::string family;  ///< "PALEO" for the clusters of PALEO's case studies
    std::string note;
    std::string device;
    std::int64_t devices_per_node = 1;
    std::int64_t nics_per_node = 1;     ///< network cards that the devices of a node share
    std::string inside;                 ///< empty only if a node has one device
    std::string between;                ///< empty only if there is one node
    std::optional<std::int64_t> nodes;  ///< as many as there are; nothing: as many as one likes
    std::vector<std::string> sources, unverified;

    bool operator==(const ClusterPreset&) const = default;
};

/// A way to divide the work, by name: what fields of the scenario it sets (core/scenario/ways.hpp).
struct Way {
    struct Setting {
        std::string path;   ///< "parallelism.tensor"
        std::string value;  ///< as set_field takes it, or `node`
        bool operator==(const Setting&) const = default;
    };
    /// A degree or a shard group as large as a node has devices.
    static constexpr std::string_view node = "node";
    /// Networks whose speedup chart has a curve of it.
    enum class Curve : std::uint8_t { always, with_attention, without_attention };
    std::string id, name, description;
    std::vector<Setting> settings;
    Curve curve = Curve::always;
    std::vector<std::string> sources;

    bool operator==(const Way&) const = default;
};

/// Links of a kind begin with what devices call them: "NVLink 3 through NVSwitch (A100)".
bool is_of_kind(const Link& link, std::string_view kind);
/// Fills in the bandwidth of the device's link to its host, where it names one of `links` and says no figure.
void find_host_link(Device& device, const std::vector<Link>& links);

/// Software that trains, by name: what it holds in memory (TrainerMemory), as fields of `model`. What is left out is 0.
struct Trainer : Way {
    bool operator==(const Trainer&) const = default;
};

/// All devices, links, clusters, CPU machines and ways to divide the work known by name: the shipped ones and a
/// person's own.
struct Catalogue {
    std::vector<Device> devices;
    std::vector<Link> links;
    std::vector<PercentOfPeak> percents;
    std::vector<ClusterPreset> clusters;
    std::vector<CpuMachine> machines;
    std::vector<Way> ways;  ///< in the order in which they are offered
    std::vector<Trainer> trainers;
    std::vector<std::string> own;  ///< paths of a person's own rows: "devices/my-gpu", "links/my-link"

    bool owns(const Device& device) const;
    bool owns(const Link& link) const;
    bool owns(const ClusterPreset& cluster) const;
    bool owns(const CpuMachine& machine) const;
    bool owns(const Way& way) const;
    bool owns(const Trainer& trainer) const;
    /// By id, then by name (exact), then by PALEO's key; nullptr if there is none.
    const Device* device(std::string_view name) const;
    const Link* link(std::string_view name) const;
    const PercentOfPeak* percent(std::string_view name) const;  ///< by id, then by name
    const ClusterPreset* cluster(std::string_view name) const;  ///< by id, then by name
    const CpuMachine* machine(std::string_view name) const;     ///< by id, then by name
    const Way* way(std::string_view name) const;                ///< by id, then by name
    const Trainer* trainer(std::string_view name) const;        ///< by id, then by name
};

}  // namespace scalescope
