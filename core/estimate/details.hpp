// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.hpp"
#include "core/estimate/step.hpp"

namespace scalescope {

/// score() with more of the division told. Both are one function: their summaries cannot differ.
Summary score(const Plan& plan, const Point& point, Scratch& scratch, Told told);

/// Adds the devices of a pipeline to `e`, after its rows and memory_of.
void add_stages(const Plan& plan, const MemoryScratch& memory, Estimate& e);

/// What a step of `seconds` of work waits for the slowest of `workers` whose speeds spread normally by `spread`
/// (standard deviation over mean): the largest of n normal values lies about √(2 ln n) deviations above their mean
/// (Cramér, Mathematical Methods of Statistics, 1946, section 28.6: an upper bound).
double wait_for_slowest(double spread, std::int64_t workers, double seconds);

}  // namespace scalescope
