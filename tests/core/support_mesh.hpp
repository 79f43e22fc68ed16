// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>
#include <algorithm>
#include <cmath>

#include "core/estimate/estimate.hpp"

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

/// Why a scenario with a plan has no estimate.
inline scalescope::Problem problem_of(const scalescope::Scenario& s) {
    const auto plan = scalescope::prepare(s);
    scalescope::Scratch scratch = scalescope::make_scratch(*plan);
    return estimate(s, *plan, scratch).error().front();
}

inline void set_mesh(scalescope::Scenario& s, std::int64_t data, std::int64_t pipeline, std::int64_t tensor) {
    s.parallelism.strategy = scalescope::Strategy::data;
    s.parallelism.pipeline = pipeline;
    s.parallelism.tensor = tensor;
    s.cluster.workers = data * pipeline * tensor;
}

}  // namespace support
