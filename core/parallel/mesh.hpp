// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/checked.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope {

inline constexpr std::size_t mesh_axes = static_cast<std::size_t>(MeshAxis::expert_tensor) + 1;

/// The axes of the mesh, fastest first.
using AxesInOrder = std::array<MeshAxis, 4>;
AxesInOrder order_of(AxisOrder order);
/// Workers of the mesh as an order lays them out: the axes of several workers, fastest first.
struct LaidOut {
    AxisOrder order;
    std::vector<MeshAxis> axes;
};
LaidOut laid_out(AxisOrder order, const Degrees& degrees);
/// One order for each way to lay them out.
std::vector<LaidOut> distinct_orders(const Degrees& degrees);
/// The one that lays out these axes, fastest first; nothing if they are not those of several workers.
std::optional<AxisOrder> order_laid_out(const std::vector<MeshAxis>& axes, const Degrees& degrees);

/// Devices that work together in one message: every combination of some coordinates, the others held.
struct RankGroup {
    struct Dimension {
        std::int64_t count = 1, stride = 1;  ///< ranks along it, and how far apart they are
    };
    std::array<Dimension, 2> dimensions;  ///< the one of the smaller stride first

    std::int64_t ranks() const { return dimensions[0].count * dimensions[1].count; }
    /// Of its ranks, those in one box of `size` neighbouring ranks, which begins at a multiple of `size`. Where the
    /// group does not divide evenly among boxes: the most.
    std::int64_t in_box(std::int64_t size) const;
};

/// All devices as a grid. Experts divide the same devices of a stage in another way: expert data × expert × expert
/// tensor = data × context × tensor (specification: composed parallelism, section 1; Megatron-LM's order of ranks).
struct Mesh {
    std::int64_t tensor = 1, context = 1, data = 1, pipeline = 1;
    std::int64_t expert = 1, expert_tensor = 1;
    AxesInOrder order{MeshAxis::tensor, MeshAxis::context, MeshAxis::data,
                      MeshAxis::pipeline};  ///< pipeline last where there are experts

    std::int64_t degree(MeshAxis axis) const {
        switch (axis) {
            case MeshAxis::tensor: return tensor;
            case MeshAxis::context: return context;
            case MeshAxis::data: return data;
            case MeshAxis::pipeline: return pipeline;
            case MeshAxis::expert: return expert;
            case MeshAxis::expert_tensor: return expert_tensor;
        }
        return 1;
    }
    Degrees degrees() const { return {data, pipeline, tensor, context}; }
    std::int64_t devices() const { return tensor * context * data * pipeline; }
    std::int64_t replicas() const { return context * data; }  ///< that hold the same weights
    std::int64_t in_stage() const { return tensor * context * data; }
    std::int64_t expert_ranks() const { return expert * expert_tensor; }  ///< that hold different parts of the experts
    bool divides_layers() const { return tensor * context * expert_ranks() > 1; }
    /// Rounded up, where fewer replicas have samples than there are.
    std::int64_t expert_data() const { return ceil_div(in_stage(), expert_ranks()); }

    RankGroup group(MeshAxis axis) const;
    RankGroup replicas_group() const;  ///< those that hold the same weights
    RankGroup expert_group() const, expert_data_group() const;
    std::int64_t stride(MeshAxis axis) const;  ///< how far neighbours along it are apart
    /// Experts are divided among the devices of a stage, which must be neighbours.
    bool order_suits_experts() const {
        return expert_ranks() == 1 || pipeline == 1 || order.back() == MeshAxis::pipeline;
    }
};

}  // namespace scalescope
