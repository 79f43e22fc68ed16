// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/measure/fit/form.hpp"

namespace scalescope::measure {

/// Features of the runs, each as long as there are runs: a constant 1, then the logarithm of every factor of positive
/// numbers, and for a factor of words a 1 for each level but the first that the runs of the fit have. What is neither
/// is left out.
std::vector<std::vector<double>> log_features(const Runs& runs, const std::vector<std::string>& factors);

/// True if something is left to judge the constants by: more runs than constants that are fitted, and not fewer that
/// differ in a factor. Otherwise such a form goes through all runs, whatever they say, and how sure its constants are
/// is not known.
bool leaves_freedom(const Runs& training, const Form& form);

/// Named warnings about what the runs of the fit cannot tell (spec of the generic model, section 5.1): factors that do
/// not vary, powers with fewer than three values, factors that vary together, fewer runs than three for each constant.
Problems check_design(const Runs& training, const Form& form);

}  // namespace scalescope::measure
