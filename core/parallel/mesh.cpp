// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/mesh.hpp"

#include <algorithm>
#include <utility>

#include "core/base/checked.hpp"

namespace scalescope {

std::int64_t RankGroup::in_box(std::int64_t size) const {
    std::int64_t inside = 1;
    for (const Dimension& d : dimensions)
        if (d.count > 1)
            inside *= std::min(d.count, d.stride == 1 ? size : std::max<std::int64_t>(1, ceil_div(size, d.stride)));
    return inside;
}

std::int64_t Mesh::stride(MeshAxis axis) const {
    std::int64_t stride = 1;
    for (const MeshAxis before : order) {
        if (before == axis) break;
        stride *= degree(before);
    }
    return stride;
}

RankGroup Mesh::group(MeshAxis axis) const {
    if (axis == MeshAxis::expert) return expert_group();
    return {{{{degree(axis), stride(axis)}, {}}}};
}

RankGroup Mesh::data_and_context() const {
    RankGroup g{{{{context, stride(MeshAxis::context)}, {data, stride(MeshAxis::data)}}}};
    if (g.dimensions[1].stride < g.dimensions[0].stride) std::swap(g.dimensions[0], g.dimensions[1]);
    return g;
}

RankGroup Mesh::expert_tensor_group() const { return {{{{expert_tensor, 1}, {}}}}; }
RankGroup Mesh::expert_group() const { return {{{{expert, expert_tensor}, {}}}}; }
RankGroup Mesh::expert_data_group() const { return {{{{expert_data(), expert * expert_tensor}, {}}}}; }

double leaving_by_ring(const RankGroup& group, std::int64_t size) {
    const auto n = static_cast<double>(group.ranks()), inside = static_cast<double>(group.in_box(size));
    return inside < n ? static_cast<double>(size) / inside * 2 * (n - 1) / n : 0.0;
}

double leaving_by_all_to_all(const RankGroup& group, std::int64_t size) {
    const auto n = static_cast<double>(group.ranks()), inside = static_cast<double>(group.in_box(size));
    return static_cast<double>(size) * (n - inside) / n;
}

}  // namespace scalescope
