// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/mesh.hpp"

#include <algorithm>

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

RankGroup Mesh::expert_group() const { return {{{{expert, expert_tensor}, {}}}}; }
RankGroup Mesh::expert_data_group() const { return {{{{expert_data(), expert * expert_tensor}, {}}}}; }

}  // namespace scalescope
