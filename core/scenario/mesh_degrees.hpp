// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/scenario/scenario.hpp"

/// The mesh as an equation that a hand changes: workers = data × pipeline × context × tensor.
namespace scalescope {

/// The axes whose degrees are factors of the number of workers, in the order of the equation.
inline constexpr std::array mesh_axes_of_equation{MeshAxis::data, MeshAxis::pipeline, MeshAxis::context,
                                                  MeshAxis::tensor};

/// Axes whose degrees a person keeps.
class LockedAxes {
public:
    bool contains(MeshAxis axis) const { return (bits_ & bit(axis)) != 0; }
    void set(MeshAxis axis, bool locked) { bits_ = locked ? bits_ | bit(axis) : bits_ & ~bit(axis); }
    bool operator==(const LockedAxes&) const = default;

private:
    static constexpr unsigned bit(MeshAxis axis) { return 1U << static_cast<unsigned>(axis); }
    unsigned bits_ = 0;
};

/// The degree of an axis; of the one that takes the other workers 0 where they do not come out even.
std::int64_t degree_of(const Scenario& scenario, MeshAxis axis);

/// The scenario with `n` along one axis. What it needs more or less is taken from the data degree; where that is locked
/// or is the one that changes, from the first other axis that is not locked and divides, or else the number of workers
/// changes. Data takes the rest from then on. Where nothing comes out even, the degree is as given all the same: then
/// degrees_of() is nothing.
Scenario with_degree(Scenario scenario, MeshAxis axis, std::int64_t n, const LockedAxes& locked);
/// The scenario on `n` workers: the data degree changes or, where it is locked, the first other axis that is not and
/// divides.
Scenario with_workers(Scenario scenario, std::int64_t n, const LockedAxes& locked);

/// The degrees below and above `n` that an axis can have with the present workers and the other degrees, at most one of
/// each; `n` itself alone if it is one.
std::vector<std::int64_t> nearest_degrees(const Scenario& scenario, MeshAxis axis, std::int64_t n);
/// The numbers of workers below and above the present one that the given degrees divide.
std::vector<std::int64_t> nearest_workers(const Scenario& scenario);
/// The product of the given degrees but that of the axis that takes the rest.
std::int64_t given_product(const Scenario& scenario);

}  // namespace scalescope
