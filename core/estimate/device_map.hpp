// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/estimate/estimate.hpp"

namespace scalescope {

/// Position of a device in the cluster and on the mesh. Everything counts from 0.
struct DevicePlace {
    std::int64_t device = 0, node = 0, in_node = 0;
    std::array<std::int64_t, 4> along{};  ///< coordinate on each axis, indexed by MeshAxis

    std::int64_t on(MeshAxis axis) const { return along[static_cast<std::size_t>(axis)]; }
};

/// Messages of one axis in a step, summed.
struct AxisTraffic {
    std::int64_t messages = 0;
    Bytes bytes{0};                          ///< full buffers, as Transfer::bytes
    Seconds time{0}, exposed{0}, hidden{0};  ///< `time`: on the link; copies of gradients are only in `exposed`

    void add(const Transfer& t);
    AxisTraffic& operator+=(const AxisTraffic& other);
};

/// The ranks with which a device exchanges messages along one axis, and the messages of its stage.
struct DeviceGroup {
    MeshAxis axis = MeshAxis::data;
    std::int64_t first = 0, count = 1, stride = 1;  ///< ranks: first, first + stride, …
    std::int64_t rank = 0;                          ///< of the device in it
    std::int64_t nodes = 1;                         ///< in which its ranks are
    std::string link;                               ///< name of the slowest link that its messages cross
    AxisTraffic traffic;
    double busy = 0;  ///< share of the step in which its messages are on the link

    std::int64_t last() const { return first + (count - 1) * stride; }
    bool in_node() const { return nodes == 1; }
    bool has(std::int64_t device) const {
        return device >= first && device <= last() && (device - first) % stride == 0;
    }
};

/// What a device keeps, and its share of the work.
struct DeviceHolding {
    int stage = -1;                                    ///< -1: there are no stages
    std::vector<LayerRun> runs;                        ///< its layers; several with chunks or several networks
    int layers = 0;                                    ///< in these runs
    std::int64_t layer_parts = 1;                      ///< tensor ranks that divide each of its layers
    std::int64_t sequence_parts = 1;                   ///< context ranks that divide each sequence
    double weights = 1, gradients = 1, optimizer = 1;  ///< shares kept of its layers' states (ZeRO)
    MemoryEstimate memory;
    Seconds waiting{0};  ///< for other stages and transfers, in a step
};

/// The devices of a scenario's mesh: where each is, what it holds and with which others it communicates. Coordinates
/// and groups are computed on demand, so that a map of any size costs little.
struct DeviceMap {
    Mesh mesh;
    std::int64_t devices_per_node = 1;
    std::string inside, between;  ///< names of the links
    Seconds step{0};
    StateShards states;
    std::vector<LayerRun> runs;
    std::vector<MemoryEstimate> memory;                       ///< by stage; one if there are no stages
    std::vector<Seconds> waiting;                             ///< likewise
    std::vector<std::array<AxisTraffic, mesh_axes>> traffic;  ///< likewise: of each stage, by axis

    std::int64_t devices() const { return mesh.devices(); }
    std::int64_t nodes() const { return ceil_div(devices(), devices_per_node); }
    /// Axes of several ranks, fastest first.
    std::vector<MeshAxis> axes() const;
    /// The axis whose ranks are farthest apart.
    MeshAxis outermost() const { return axes().empty() ? MeshAxis::data : axes().back(); }
    /// Coordinate of a device on one axis.
    std::int64_t coordinate(std::int64_t device, MeshAxis axis) const {
        return device / mesh.stride(axis) % mesh.degree(axis);
    }
    /// The coordinate that `count` devices from `first` share on an axis, or nothing if they differ.
    std::optional<std::int64_t> shared_coordinate(std::int64_t first, std::int64_t count, MeshAxis axis) const;
    /// Memory of the fullest of `count` devices from `first` on.
    Bytes peak(std::int64_t first, std::int64_t count) const;
    DevicePlace place(std::int64_t device) const;
    std::int64_t device_at(const std::array<std::int64_t, 4>& along) const;
    DeviceHolding holding(std::int64_t device) const;
    /// Groups of a device: those of axes(), then of other axes that carry messages (experts).
    std::vector<DeviceGroup> groups(std::int64_t device) const;
    /// Messages of one axis in all stages together.
    AxisTraffic total(MeshAxis axis) const;

private:
    std::size_t stage_of(std::int64_t device) const {
        return traffic.size() > 1 ? static_cast<std::size_t>(coordinate(device, MeshAxis::pipeline)) : 0;
    }
};

/// Nothing if the mesh does not come out even, has one device, or is not priced by the pipeline method.
std::optional<DeviceMap> device_map(const Scenario& scenario, const Estimate& estimate);
/// Whether there is one.
bool has_device_map(const Scenario& scenario);

}  // namespace scalescope
