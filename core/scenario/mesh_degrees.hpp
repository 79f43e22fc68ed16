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

/// The degree of an axis. That of the axis that takes the remaining workers is 0 if they cannot be divided evenly.
std::int64_t degree_of(const Scenario& scenario, MeshAxis axis);

/// The scenario with degree `n` on one axis. The data degree is adjusted so that the product stays the same. If the
/// data degree is locked, or is the one that changes, the first other unlocked axis that divides evenly is adjusted
/// instead, and if there is none, the number of workers. Afterwards the data axis takes the remaining workers. If they
/// cannot be divided evenly, the degree is set nevertheless, and degrees_of() returns nothing.
Scenario with_degree(Scenario scenario, MeshAxis axis, std::int64_t n, const LockedAxes& locked);
/// The scenario on `n` workers. The data degree is adjusted or, if it is locked, the first other unlocked axis that
/// divides evenly.
Scenario with_workers(Scenario scenario, std::int64_t n, const LockedAxes& locked);

/// The nearest degrees below and above `n` that divide the workers of the scenario together with the other degrees, or
/// `n` alone if it does.
std::vector<std::int64_t> nearest_degrees(const Scenario& scenario, MeshAxis axis, std::int64_t n);
/// The next degree after `from`, upwards (1) or downwards (-1), that divides; `from` itself if there is none.
std::int64_t next_degree(const Scenario& scenario, MeshAxis axis, std::int64_t from, int direction);
/// The numbers of workers below and above the present one that the given degrees divide.
std::vector<std::int64_t> nearest_workers(const Scenario& scenario);
/// The product of the given degrees but that of the axis that takes the rest.
std::int64_t given_product(const Scenario& scenario);

}  // namespace scalescope
