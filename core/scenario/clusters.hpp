// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hardware/catalogue.hpp"
#include "core/scenario/scenario.hpp"

/// A scenario's cluster and the clusters known by name. The scenario carries the figures, not the name.
namespace scalescope {

/// The cluster built as `preset` says: device, devices and network cards in a node, links. What the preset leaves open
/// stays. About as many workers as before: whole nodes, rounded up, and no more nodes than there are.
Cluster built_as(const ClusterPreset& preset, const Catalogue& catalogue, Cluster cluster);

/// Whether `link` joins devices of other kinds only: NVLink 3 inside a node of H100. Links of no kind of device, such
/// as PCIe, suit all.
bool is_link_of_others(const Link& link, const Device& device, const Catalogue& catalogue);

/// The cluster with another device. Where the link inside a node was of the device before and is none of the new one,
/// the new one's own takes its place: of its peers, or else to its host.
Cluster with_device(Cluster cluster, const Device& device, const Catalogue& catalogue);

/// The scenario on a CPU cluster. One without a machine gets that of Project Adam's kind, or else the first of the
/// list; everything else stays, so that another method finds its own settings again.
Scenario on_cpu_cluster(Scenario scenario, const Catalogue& catalogue);

/// The preset whose every figure `cluster` has, a person's own first; nullptr if there is none. Links that do not exist
/// (inside nodes of one device, between the nodes of a single one) may be any.
const ClusterPreset* preset_of(const Cluster& cluster, const Catalogue& catalogue);

}  // namespace scalescope
