// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/measure/fit/fit.hpp"

namespace scalescope::measure {

/// A fit as JSON: form, data hash, seed, bounds, constants with intervals, metrics, baselines, findings. Times in
/// seconds, errors as shares of the measured time.
std::string fit_json(const Fit& fit, const Runs& runs, const std::string& data_hash);

/// "product", "two-term", "physical", "tiers"; "squared", "huber", "absolute"; "fast", "de": the words of files and of
/// the command line.
std::string_view word_of(FormKind kind);
std::string_view word_of(Loss loss);
std::string_view word_of(FitOptimizer optimizer);

}  // namespace scalescope::measure
