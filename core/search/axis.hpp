// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/problem.hpp"
#include "core/scenario/fields.hpp"

namespace scalescope::search {

/// Something that is varied: the path of a field (core/scenario/fields.hpp), or "cluster", "network" or "calibration",
/// which stand for several fields; and the values it takes, as a person writes them.
struct Axis {
    std::string path;
    std::vector<std::string> values;
};

/// Most values of one axis.
inline constexpr std::size_t most_axis_values = 1'000'000;

/// Reads the values of an axis: "A,B,C". Whole numbers may be ranges: "1..8" (every one), "1..1024*2" (doubling). "*"
/// stands for all choices of a field (but butterfly mixing, which trains otherwise), all devices or links of the
/// catalogue, or all layers at which the network may be cut. An entry of a list of layers or words joins its names with
/// "+": "conv3+fc6". `field` is null for a path that stands for several fields. Whether the field takes the values is
/// not looked at.
Result<Axis> read_axis(std::string path, const Field* field, std::string_view values, const Scenario& scenario,
                       const Catalogue& catalogue);

}  // namespace scalescope::search
