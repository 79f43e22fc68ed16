// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/mesh_degrees.hpp"

#include <algorithm>

namespace scalescope {
namespace {

std::int64_t& given(Scenario& s, MeshAxis axis) {
    switch (axis) {
        case MeshAxis::tensor: return s.parallelism.tensor;
        case MeshAxis::context: return s.parallelism.context;
        default: return s.parallelism.pipeline;
    }
}

/// Data takes what the others leave; the axis that did so keeps the degree it has.
void fill_with_data(Scenario& s) {
    const MeshAxis fill = s.parallelism.fill;
    if (fill != MeshAxis::data) given(s, fill) = std::max<std::int64_t>(1, degree_of(s, fill));
    s.parallelism.fill = MeshAxis::data;
    s.parallelism.segments = false;
}

/// Gives the first axis that may change what makes the product of all `workers`; false if none comes out even.
bool make_up(Scenario& s, std::int64_t data, std::int64_t workers, MeshAxis fixed, const LockedAxes& locked) {
    const std::int64_t all = data * given_product(s);
    for (const MeshAxis axis : {MeshAxis::pipeline, MeshAxis::tensor, MeshAxis::context}) {
        std::int64_t& n = given(s, axis);
        if (axis == fixed || locked.contains(axis) || workers % (all / n) != 0) continue;
        n = workers / (all / n);
        return true;
    }
    return false;
}

}  // namespace

std::int64_t given_product(const Scenario& s) {
    std::int64_t product = 1;
    const Parallelism& p = s.parallelism;
    for (const auto& [axis, n] : {std::pair{MeshAxis::tensor, p.tensor}, std::pair{MeshAxis::pipeline, p.pipeline},
                                  std::pair{MeshAxis::context, p.context}})
        if (axis != p.fill) product *= n;
    return product;
}

std::int64_t degree_of(const Scenario& s, MeshAxis axis) {
    if (axis == s.parallelism.fill) {
        auto degrees = degrees_of(s);
        return degrees ? degrees->of(axis) : 0;
    }
    if (axis == MeshAxis::data) return 1;
    Scenario copy;
    static_cast<GivenDegrees&>(copy.parallelism) = s.parallelism;
    return given(copy, axis);
}

Scenario with_degree(Scenario s, MeshAxis axis, std::int64_t n, const LockedAxes& locked) {
    const std::int64_t data = std::max<std::int64_t>(1, degree_of(s, MeshAxis::data)), workers = s.cluster.workers;
    fill_with_data(s);
    if (axis == MeshAxis::data) {
        if (!make_up(s, n, workers, axis, locked)) s.cluster.workers = n * given_product(s);
        return s;
    }
    given(s, axis) = n;
    if (locked.contains(MeshAxis::data) && !make_up(s, data, workers, axis, locked))
        s.cluster.workers = data * given_product(s);
    return s;
}

Scenario with_workers(Scenario s, std::int64_t n, const LockedAxes& locked) {
    const std::int64_t data = degree_of(s, MeshAxis::data);
    s.cluster.workers = n;
    if (!locked.contains(MeshAxis::data) || s.parallelism.fill != MeshAxis::data || data < 1) return s;
    make_up(s, data, n, MeshAxis::data, locked);
    return s;
}

std::vector<std::int64_t> nearest_degrees(const Scenario& s, MeshAxis axis, std::int64_t n) {
    // The other axes that keep their degrees; data gives way.
    Scenario others = s;
    fill_with_data(others);
    if (axis != MeshAxis::data) given(others, axis) = 1;
    const std::int64_t room = axis == MeshAxis::data ? s.cluster.workers : s.cluster.workers / given_product(others);
    if (room < 1 || s.cluster.workers % given_product(others) != 0) return {};
    std::vector<std::int64_t> found;
    for (std::int64_t d = std::min(n, room); d >= 1; --d)
        if (room % d == 0) {
            found.push_back(d);
            break;
        }
    if (!found.empty() && found.front() == n) return found;
    for (std::int64_t d = n + 1; d <= room; ++d)
        if (room % d == 0) {
            found.push_back(d);
            break;
        }
    return found;
}

std::int64_t next_degree(const Scenario& s, MeshAxis axis, std::int64_t from, int direction) {
    const auto near = nearest_degrees(s, axis, from + direction);
    if (near.empty()) return std::max<std::int64_t>(1, from + direction);  // nothing divides: any
    return direction > 0 ? std::max(from, near.back()) : near.front();
}

std::vector<std::int64_t> nearest_workers(const Scenario& s) {
    const std::int64_t product = given_product(s), n = s.cluster.workers;
    if (n % product == 0) return {n};
    std::vector<std::int64_t> found;
    if (n > product) found.push_back(n / product * product);
    found.push_back((n / product + 1) * product);
    return found;
}

}  // namespace scalescope
