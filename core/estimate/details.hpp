// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.hpp"
#include "core/estimate/step.hpp"

namespace scalescope {

/// score() with more of the division told. Both are one function: their summaries cannot differ.
Summary score(const Plan& plan, const Point& point, Scratch& scratch, Told told);

/// What a step of `seconds` of work waits for the slowest of `workers` whose speeds spread normally by `spread`
/// (standard deviation over mean): the largest of n normal values lies about √(2 ln n) deviations above their mean
/// (Cramér, Mathematical Methods of Statistics, 1946, section 28.6: an upper bound).
double wait_for_slowest(double spread, std::int64_t workers, double seconds);

/// All of an estimate of a CPU cluster but its sums: what the configuration comes to, the layers' times, which with
/// what the step waits for sum to it, and the memory of the fullest machine. A problem if figures are too large.
Result<void> add_cpu_details(const Plan& plan, Scratch& scratch, Estimate& estimate);

/// Warnings: what is left over, what does not fit, what the method does not hear.
void add_cpu_notes(const Scenario& scenario, const Plan& plan, Estimate& estimate);

}  // namespace scalescope
