// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/step.hpp"

namespace scalescope {

/// score() and estimate() are this one function, without and with somebody listening: their summaries cannot differ.
Summary score_recorded(const Plan& plan, const Point& point, Scratch& scratch, StepRecorder* recorder);

/// Copies what of a scenario a Point holds, and nothing else.
void place_point(const Scenario& from, std::int64_t& workers, Training& training, Parallelism& parallelism);

}  // namespace scalescope
