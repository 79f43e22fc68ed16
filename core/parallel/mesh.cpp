// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/mesh.hpp"

#include <algorithm>
#include <utility>

#include "core/base/checked.hpp"

namespace scalescope {

AxesInOrder order_of(AxisOrder order) {
    constexpr AxesInOrder first{MeshAxis::tensor, MeshAxis::context, MeshAxis::data, MeshAxis::pipeline};
    std::array<std::size_t, 4> places{0, 1, 2, 3};
    for (int i = static_cast<int>(order); i > 0; --i) std::next_permutation(places.begin(), places.end());
    return {first[places[0]], first[places[1]], first[places[2]], first[places[3]]};
}

LaidOut laid_out(AxisOrder order, const Degrees& degrees) {
    const Mesh mesh{degrees.tensor, degrees.context, degrees.data, degrees.pipeline};
    LaidOut one{order, {}};
    for (const MeshAxis axis : order_of(order))
        if (mesh.degree(axis) > 1) one.axes.push_back(axis);
    return one;
}

std::vector<LaidOut> distinct_orders(const Degrees& degrees) {
    std::vector<LaidOut> all;
    for (int i = 0; i <= static_cast<int>(AxisOrder::last); ++i) {
        LaidOut one = laid_out(static_cast<AxisOrder>(i), degrees);
        if (std::none_of(all.begin(), all.end(), [&](const LaidOut& known) { return known.axes == one.axes; }))
            all.push_back(std::move(one));
    }
    return all;
}

std::optional<AxisOrder> order_laid_out(const std::vector<MeshAxis>& axes, const Degrees& degrees) {
    for (const LaidOut& one : distinct_orders(degrees))
        if (one.axes == axes) return one.order;
    return std::nullopt;
}

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
    if (axis == MeshAxis::expert_tensor) return {{{{expert_tensor, 1}, {}}}};
    return {{{{degree(axis), stride(axis)}, {}}}};
}

RankGroup Mesh::replicas_group() const {
    RankGroup::Dimension near{context, stride(MeshAxis::context)}, far{data, stride(MeshAxis::data)};
    if (far.stride < near.stride) std::swap(near, far);
    if (far.count == 1) return {{{near, {}}}};
    if (near.count == 1) return {{{far, {}}}};
    if (far.stride == near.stride * near.count) return {{{{near.count * far.count, near.stride}, {}}}};
    return {{{near, far}}};
}

RankGroup Mesh::expert_group() const { return {{{{expert, expert_tensor}, {}}}}; }
RankGroup Mesh::expert_data_group() const { return {{{{expert_data(), expert_ranks()}, {}}}}; }

}  // namespace scalescope
