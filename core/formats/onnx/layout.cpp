// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/converter.hpp"

#include <algorithm>

namespace scalescope::formats::onnx {
namespace {

/// The axes longer than 1, in `order`.
Order long_axes(const Dims& dims, const Order& order) {
    Order axes;
    for (const std::size_t a : order)
        if (dims[a] != 1) axes.push_back(a);
    return axes;
}

}  // namespace

Order natural_order(std::size_t rank) {
    Order order(rank);
    for (std::size_t i = 0; i < rank; ++i) order[i] = i;
    return order;
}

Order channels_last(std::size_t rank) {
    Order order = natural_order(rank);
    if (rank > 2) std::rotate(order.begin() + 1, order.begin() + 2, order.end());
    return order;
}

Order order_without(const Order& order, const std::vector<std::size_t>& gone, bool keep) {
    if (keep) return order;
    Order left;
    for (const std::size_t a : order)
        if (std::ranges::find(gone, a) == gone.end())
            left.push_back(a -
                           static_cast<std::size_t>(std::ranges::count_if(gone, [&](std::size_t x) { return x < a; })));
    return left;
}

Shape Sample::shape(const Order& order) const {
    Shape out;
    for (const std::size_t a : order)
        if (static_cast<int>(a) != batch || dims[a] != 1) out.push_back(dims[a]);
    if (out.empty()) out.push_back(1);
    return out;
}

std::int64_t our_axis(const Sample& sample, const Order& order, std::size_t axis) {
    std::int64_t n = 1;
    for (const std::size_t a : order) {
        if (a == axis) return n;
        if (static_cast<int>(a) != sample.batch || sample.dims[a] != 1) ++n;
    }
    return n;
}

bool same_layout(const Sample& sample, const Order& a, const Order& b) {
    return long_axes(sample.dims, a) == long_axes(sample.dims, b);
}

std::optional<Order> view_order(const Sample& from, const Order& order, const Sample& to) {
    // Both shapes fall into groups of axes that stand for each other.
    struct Group {
        std::size_t from, from_end, to, to_end;
    };
    std::vector<Group> groups;
    std::size_t i = 0, j = 0;
    while (i < from.dims.size() || j < to.dims.size()) {
        Group g{i, i, j, j};
        std::int64_t a = 1, b = 1;
        do {
            if (a <= b && i < from.dims.size())
                a *= from.dims[i++];
            else if (j < to.dims.size())
                b *= to.dims[j++];
            else if (i < from.dims.size())
                a *= from.dims[i++];
            else
                return std::nullopt;
        } while (a != b);
        // Ones that follow belong to either; they move nothing.
        while (i < from.dims.size() && from.dims[i] == 1) ++i;
        while (j < to.dims.size() && to.dims[j] == 1) ++j;
        g.from_end = i;
        g.to_end = j;
        groups.push_back(g);
    }
    const Order axes = long_axes(from.dims, order);
    Order out;
    std::vector<bool> done(groups.size(), false);
    for (std::size_t k = 0; k < axes.size();) {
        const auto g =
            std::ranges::find_if(groups, [&](const Group& x) { return axes[k] >= x.from && axes[k] < x.from_end; });
        if (g == groups.end()) return std::nullopt;
        // The group must stand together and in its own order.
        for (std::size_t a = g->from; a < g->from_end; ++a) {
            if (from.dims[a] == 1) continue;
            if (k >= axes.size() || axes[k] != a) return std::nullopt;
            ++k;
        }
        for (std::size_t t = g->to; t < g->to_end; ++t) out.push_back(t);
        done[static_cast<std::size_t>(g - groups.begin())] = true;
    }
    // Groups of ones go where they stand in ONNX: in front, if before the first.
    Order front;
    for (std::size_t g = 0; g < groups.size(); ++g)
        if (!done[g])
            for (std::size_t t = groups[g].to; t < groups[g].to_end; ++t) front.push_back(t);
    out.insert(out.begin(), front.begin(), front.end());
    return out.size() == to.dims.size() ? std::optional(out) : std::nullopt;
}

}  // namespace scalescope::formats::onnx
