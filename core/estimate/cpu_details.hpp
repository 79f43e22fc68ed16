// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.hpp"

namespace scalescope {

/// All of an estimate of a CPU cluster but its sums: what the configuration comes to, the layers' times, which with
/// what the step waits for sum to it, and the memory of the fullest machine. A problem if figures are too large.
Result<void> add_cpu_details(const Plan& plan, Scratch& scratch, Estimate& estimate);

/// Warnings: what is left over, what does not fit, what the method does not hear.
void add_cpu_notes(const Scenario& scenario, const Plan& plan, Estimate& estimate);

}  // namespace scalescope
