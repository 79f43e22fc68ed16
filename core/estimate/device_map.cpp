// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/device_map.hpp"

#include <algorithm>

namespace scalescope {

void AxisTraffic::add(const Transfer& t) {
    messages += t.times;
    bytes += t.bytes * static_cast<double>(t.times);
    time += t.each * static_cast<double>(t.times);
    exposed += t.exposed;
    hidden += t.hidden;
}

AxisTraffic& AxisTraffic::operator+=(const AxisTraffic& other) {
    messages += other.messages;
    bytes += other.bytes;
    time += other.time;
    exposed += other.exposed;
    hidden += other.hidden;
    return *this;
}

std::vector<MeshAxis> DeviceMap::axes() const {
    std::vector<MeshAxis> several;
    for (const MeshAxis axis : mesh.order)
        if (mesh.degree(axis) > 1) several.push_back(axis);
    return several;
}

std::optional<std::int64_t> DeviceMap::shared_coordinate(std::int64_t first, std::int64_t count, MeshAxis axis) const {
    const std::int64_t degree = mesh.degree(axis), stride = mesh.stride(axis);
    const std::int64_t last = std::min(first + count, devices()) - 1;
    // Devices whose ranks agree above the axis's stride agree on it.
    if (degree > 1 && first / stride != last / stride) return std::nullopt;
    return coordinate(first, axis);
}

Bytes DeviceMap::peak(std::int64_t first, std::int64_t count) const {
    Bytes most{0};
    for (std::int64_t d = first; d < std::min(first + count, devices()); ++d)
        most = std::max(most, memory[stage_of(d)].peak);
    return most;
}

DevicePlace DeviceMap::place(std::int64_t device) const {
    DevicePlace place{device, device / devices_per_node, device % devices_per_node, {}};
    for (const MeshAxis axis : mesh.order) place.along[static_cast<std::size_t>(axis)] = coordinate(device, axis);
    return place;
}

std::int64_t DeviceMap::device_at(const std::array<std::int64_t, 4>& along) const {
    std::int64_t device = 0;
    for (const MeshAxis axis : mesh.order) device += along[static_cast<std::size_t>(axis)] * mesh.stride(axis);
    return device;
}

DeviceHolding DeviceMap::holding(std::int64_t device) const {
    const std::size_t stage = stage_of(device);
    DeviceHolding held;
    if (traffic.size() > 1) held.stage = static_cast<int>(stage);
    for (const LayerRun& run : runs)
        if (held.stage < 0 || run.stage == held.stage) {
            held.runs.push_back(run);
            held.layers += run.to - run.from;
        }
    held.layer_parts = mesh.tensor;
    held.sequence_parts = mesh.context;
    held.weights = 1 / states.pieces(Sharded::weights);
    held.gradients = 1 / states.pieces(Sharded::gradients);
    held.optimizer = 1 / states.pieces(Sharded::optimizer);
    held.memory = memory[stage];
    held.waiting = waiting[stage];
    return held;
}

std::vector<DeviceGroup> DeviceMap::groups(std::int64_t device) const {
    std::vector<MeshAxis> shown = axes();
    const auto& sent = traffic[stage_of(device)];
    for (std::size_t a = 0; a < mesh_axes; ++a) {
        const auto axis = static_cast<MeshAxis>(a);
        if (sent[a].messages > 0 && std::find(shown.begin(), shown.end(), axis) == shown.end()) shown.push_back(axis);
    }
    std::vector<DeviceGroup> groups;
    for (const MeshAxis axis : shown) {
        const bool of_experts = axis == MeshAxis::expert || axis == MeshAxis::expert_tensor;
        // Messages along an axis of one rank: gradients of replicas that only differ in their context, or of layers
        // that all devices divide.
        const RankGroup group = mesh.degree(axis) > 1                        ? mesh.group(axis)
                                : axis == MeshAxis::data && mesh.context > 1 ? mesh.replicas_group()
                                                                             : RankGroup{{{{devices(), 1}, {}}}};
        const auto [count, stride] = group.dimensions[0];
        // Experts divide the devices of a stage, from its first one on.
        const std::int64_t begin = of_experts ? device - device % mesh.in_stage() : 0;
        DeviceGroup one;
        one.axis = axis;
        one.stride = stride;
        one.rank = (device - begin) / stride % count;
        one.first = device - one.rank * stride;
        const std::int64_t end = of_experts ? begin + mesh.in_stage() : devices();
        one.count = std::min(count, ceil_div(end - one.first, stride));
        one.nodes = std::min(one.count, one.last() / devices_per_node - one.first / devices_per_node + 1);
        one.link = one.in_node() ? inside : between;
        one.traffic = sent[static_cast<std::size_t>(axis)];
        one.busy = step.value > 0 ? one.traffic.time / step : 0;
        groups.push_back(std::move(one));
    }
    return groups;
}

AxisTraffic DeviceMap::total(MeshAxis axis) const {
    AxisTraffic sum;
    for (const auto& stage : traffic) sum += stage[static_cast<std::size_t>(axis)];
    return sum;
}

bool has_device_map(const Scenario& s) {
    return s.model.method == Method::pipeline && s.cluster.workers > 1 && degrees_of(s).has_value();
}

std::optional<DeviceMap> device_map(const Scenario& s, const Estimate& e) {
    if (!has_device_map(s)) return std::nullopt;
    const Degrees degrees = *degrees_of(s);
    DeviceMap map;
    map.mesh = {degrees.tensor, degrees.context, degrees.data, degrees.pipeline};
    map.mesh.expert = s.parallelism.expert;
    map.mesh.expert_tensor = s.parallelism.expert_tensor;
    map.mesh.order = order_of(s.parallelism.axis_order);
    map.devices_per_node = std::max<std::int64_t>(1, s.cluster.devices_per_node);
    map.inside = s.cluster.inside.name;
    map.between = s.cluster.between.name;
    map.step = e.summary.step;
    map.states = e.states;
    map.runs = e.runs;
    for (const StageEstimate& stage : e.stages) {
        map.memory.push_back(stage.memory);
        map.waiting.push_back(stage.waiting);
    }
    if (e.stages.empty()) {
        map.memory.push_back(e.memory);
        map.waiting.push_back(e.summary.idle);
    }
    map.traffic.resize(map.memory.size());
    for (const MessageEstimate& m : e.messages) {
        if (m.message == Message::host_copy) continue;  // between a device and its own host
        const int stage = e.stages.empty() ? 0 : e.layers[static_cast<std::size_t>(m.first)].stage;
        map.traffic[static_cast<std::size_t>(stage)][static_cast<std::size_t>(m.axis)].add(m);
    }
    return map;
}

}  // namespace scalescope
