// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/mesh_curve.hpp"

#include "core/scenario/fields.hpp"

namespace scalescope::search {

std::vector<CurvePoint> mesh_curve(const Scenario& scenario, std::span<const std::int64_t> counts,
                                   const CancelToken& cancel) {
    std::vector<CurvePoint> curve;
    for (const std::int64_t count : counts) {
        Scenario at = scenario;
        at.cluster.workers = count;
        const auto best = best_mesh(at, {}, Effort::quick, {{}, cancel});
        if (cancel.cancelled()) break;
        if (best) curve.push_back({count, best->summary, 0, true, best->memory});
    }
    return curve;
}

bool same_mesh_curve(Scenario a, const Scenario& b) {
    static const Catalogue none;  // no field of a mesh names hardware
    for (const std::string_view path : mesh_choices())
        if (!set_field(a, path, field_text(*find_field(path), b), none)) return false;
    a.cluster.workers = b.cluster.workers;
    a.name = b.name;
    return a == b;
}

}  // namespace scalescope::search
