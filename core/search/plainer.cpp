// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/search/walker.hpp"

namespace scalescope::search {

std::optional<Walker::Plainer> Walker::plainer(const Summary& s, bool server_matters) const {
    if (plan_->cpu) return std::nullopt;  // machines divide a replica by a rule of their own
    const bool alone = point_.workers == 1;
    const bool hybrid = point_.segments && !alone;
    const bool uncut = hybrid && s.cut == plan_->parts.front().work.layers;
    Plainer plain{digits_, point_};
    const auto take = [&](const PointAxis& axis, std::size_t digit) {
        plain.digits[axis.axis] = digit;
        axis.field->put(axis.values[digit].number, plain.point);
    };
    const auto place = [](const PointAxis& axis, const auto& wanted) -> std::optional<std::size_t> {
        const auto at =
            std::find_if(axis.values.begin(), axis.values.end(), [&](const Value& v) { return v.ok && wanted(v); });
        if (at == axis.values.end()) return std::nullopt;
        return static_cast<std::size_t>(at - axis.values.begin());
    };
    const auto value = [&](const PointAxis& axis, std::int64_t number) {
        return place(axis, [&](const Value& v) { return v.number == number; });
    };
    const auto is_server = [](const Value& v) {
        return static_cast<Collective>(v.number) == Collective::parameter_server;
    };
    // The axis of the mesh that takes what the others leave does not look at its own degree.
    for (const PointAxis& axis : inner_)
        if ((axis.field == point_field("parallelism.tensor") && point_.fill == MeshAxis::tensor) ||
            (axis.field == point_field("parallelism.pipeline") && point_.fill == MeshAxis::pipeline) ||
            (axis.field == point_field("parallelism.context") && point_.fill == MeshAxis::context))
            take(axis, value(axis, 1).value_or(axis.first));
    const bool no_mesh = plain.point.none();
    bool has_no_cut = !hybrid;
    for (const PointAxis& axis : inner_) {
        if (axis.field == point_field("parallelism.fill") && no_mesh && alone)
            take(axis, value(axis, static_cast<std::int64_t>(MeshAxis::data)).value_or(axis.first));
        if (axis.field == point_field("parallelism.policy") && (hybrid || point_.degrees()->tensor == 1))
            take(axis, axis.first);
        if (axis.field != point_field("parallelism.segments") || !(alone || uncut)) continue;
        if (const auto whole = value(axis, 0)) {
            take(axis, *whole);
            has_no_cut = true;
        }
    }
    for (const PointAxis& axis : inner_) {
        // PALEO asks even one worker for a scheme it knows.
        if (axis.field == point_field("parallelism.collective") && alone && !plan_->paleo) {
            if (!server_matters)
                take(axis, axis.first);
            else if (!is_server(axis.values[digits_[axis.axis]]))
                take(axis, place(axis, [&](const Value& v) { return !is_server(v); }).value());
        }
        if (axis.field == point_field("parallelism.scheme") && (has_no_cut || uncut)) take(axis, axis.first);
        if (axis.field != point_field("parallelism.cut")) continue;
        if (has_no_cut)
            take(axis, axis.first);
        else if (const auto named = value(axis, s.cut); named && point_.cut == Point::cut_automatic)
            take(axis, *named);
    }
    return plain.digits == digits_ ? std::nullopt : std::optional(std::move(plain));
}

}  // namespace scalescope::search
