// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>
#include <algorithm>
#include <cmath>

#include "core/estimate/estimate.hpp"
#include "support_choices.hpp"

/// What tests of meshes share.
namespace support {

inline bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({std::abs(a), std::abs(b), 1e-12}); }

/// A scenario with its plan and estimate. Ends the program if there is none.
struct Answer {
    scalescope::Scenario scenario;
    scalescope::Plan plan;
    scalescope::Estimate e;
    explicit Answer(const scalescope::Scenario& s) : scenario(s), plan(*scalescope::prepare(s)) {
        scalescope::Scratch scratch = scalescope::make_scratch(plan);
        auto answer = scalescope::estimate(s, plan, scratch);
        if (!answer) qFatal("%s", to_text(answer.error().front()).c_str());
        e = std::move(*answer);
    }
};

/// The scenario with its stages where the estimate puts them, so that a change moves none of them: of many splits the
/// search for borders finds a short step, but not always the shortest.
inline scalescope::Scenario with_its_borders(scalescope::Scenario s) {
    const scalescope::Estimate e = Answer(s).e;
    s.parallelism.boundaries.clear();
    for (const auto& run : e.runs)
        if (run.from > 0)
            s.parallelism.boundaries.push_back(s.network()->layers()[static_cast<std::size_t>(run.from)].id);
    return s;
}

/// Why a scenario with a plan has no estimate.
inline scalescope::Problem problem_of(const scalescope::Scenario& s) {
    const auto plan = scalescope::prepare(s);
    scalescope::Scratch scratch = scalescope::make_scratch(*plan);
    return estimate(s, *plan, scratch).error().front();
}

inline void set_mesh(scalescope::Scenario& s, std::int64_t data, std::int64_t pipeline, std::int64_t tensor) {
    s.parallelism.fill = scalescope::MeshAxis::data;
    s.parallelism.segments = false;
    s.parallelism.pipeline = pipeline;
    s.parallelism.tensor = tensor;
    s.cluster.workers = data * pipeline * tensor;
}

/// What of a message of one unit leaves a box of `size` neighbouring ranks, when all groups like this one, which fill
/// the box, send at the same time (specification: composed parallelism, section 2). An all-reduce by a ring; gather and
/// scatter half of it.
inline double leaving_by_ring(const scalescope::RankGroup& group, std::int64_t size) {
    const auto n = static_cast<double>(group.ranks()), inside = static_cast<double>(group.in_box(size));
    return inside < n ? static_cast<double>(size) / inside * 2 * (n - 1) / n : 0.0;
}
inline double leaving_by_all_to_all(const scalescope::RankGroup& group, std::int64_t size) {
    const auto n = static_cast<double>(group.ranks()), inside = static_cast<double>(group.in_box(size));
    return static_cast<double>(size) * (n - inside) / n;
}

}  // namespace support
