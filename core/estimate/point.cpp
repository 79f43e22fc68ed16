// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/point.hpp"

namespace scalescope {

std::int64_t detail::cut_position(const Scenario& s) {
    if (s.parallelism.cut_auto) return Point::cut_automatic;
    if (s.parallelism.cut == LayerId{}) return s.network()->size();
    return s.network()->position(s.parallelism.cut).value_or(Point::cut_unknown);
}

Point point_of(const Scenario& scenario) {
    Point point;
    for (const PointField& field : point_fields) field.put(field.of(scenario), point);
    return point;
}

void copy_point(const Scenario& from, Scenario& to) {
    for (const PointField& field : point_fields) field.copy(from, to);
}

}  // namespace scalescope
